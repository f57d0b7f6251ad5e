import type { FileKind } from '@framelift/contract';
import { ActionIcon, Group, Modal, Stack, Text, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/icons/IconArrowLeft';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconX from '@tabler/icons-react/icons/IconX';
import { Suspense, useEffect, useReducer, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../../api/session.ts';
import { errorText } from '../../i18n/error-text.ts';
import { keepSentPicture } from '../../shared/sent-picture.ts';
import { takeSharedFiles } from '../../shared/shared-files.ts';
import type { UploadStart } from '../../shared/upload-dialog.tsx';
import { showAlert } from '../../ui/alerts.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { useModalHistory } from '../../ui/use-modal-history.ts';
import { ChooseStep } from './ChooseStep.tsx';
import { useDeviceTypeChoice } from './device-type-choice.ts';
import classes from './UploadDialog.module.css';
import { isUploading, mustAsk, startOfUpload, uploadFlow } from './upload-flow.ts';
import { useSending } from './use-sending.ts';
import { useShownPicture } from './use-shown-picture.ts';

const CropStep = lazyNamed(() => import('./CropStep.tsx'), 'CropStep');

export interface UploadDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly start: UploadStart;
}

/** Full-screen dialog of the main workflow: choose a picture, crop it to a frame, choose a strength, upload. */
export function UploadDialog({ opened, onClose, start }: UploadDialogProps) {
  const { t } = useTranslation(['upload', 'errors']);
  const navigate = useNavigate();
  const session = useSession();
  const [given, setGiven] = useState<readonly File[]>([]);
  const [flow, dispatch] = useReducer(uploadFlow, startOfUpload);
  const send = useSending(flow, dispatch);
  useShownPicture(flow.chosen, dispatch);
  const frame = useDeviceTypeChoice(start.deviceTypeId, flow.chosen?.kind ?? 'picture', opened);

  const cancel = () => {
    dispatch({ type: 'cancel' });
    if (!mustAsk(flow)) return;
    const uploading = isUploading(flow);
    void showAlert({
      title: t(uploading ? 'stopTitle' : 'areYouSure'),
      content: t(uploading ? 'stopUpload' : 'notSaving'),
      buttons: [
        { value: 'stay', label: t(uploading ? 'keepUploading' : 'keepCrop') },
        { value: 'leave', label: t(uploading ? 'stopNow' : 'discardCrop'), look: 'danger' },
      ],
    }).then(({ button }) => dispatch({ type: button === 'leave' ? 'leave' : 'stay' }));
  };
  // "Back" removes the dialog's history entry before it asks; staying creates a new one.
  useModalHistory(opened && !flow.asked, cancel);

  useEffect(() => {
    if (opened) dispatch({ type: 'open' });
  }, [opened]);
  useEffect(() => {
    let left = false;
    if (!opened) return;
    if (start.files) setGiven(start.files);
    else
      void takeSharedFiles().then((files) => {
        if (!left) setGiven(files);
      });
    return () => {
      left = true;
    };
  }, [opened, start]);
  useEffect(() => {
    if (opened && flow.closed) onClose();
  }, [opened, flow.closed, onClose]);

  const noDevices = opened && frame.devices.data?.length === 0;
  useEffect(() => {
    if (!noDevices) return;
    const text = errorText('no_device_registered');
    void showAlert({ title: t('oops'), content: text, ms: UI_LIMITS.alertMs }).then(() => dispatch({ type: 'leave' }));
  }, [noDevices, t]);

  const sent = flow.sending.phase === 'done' ? flow.sending.mediaId : null;
  const shown = flow.chosen?.shown;
  const { area } = flow;
  useEffect(() => {
    // Only shown while waiting: without it the wait works as well.
    if (sent !== null && shown?.state === 'ready' && area)
      keepSentPicture(sent, shown.url, area).catch(() => undefined);
  }, [sent, shown, area]);
  useEffect(() => {
    if (sent === null) return;
    const timer = setTimeout(() => {
      const page = session.kind === 'guest' ? '/guestPage' : '/menu/confirmUpload';
      void navigate(`${page}?media=${sent}`, { replace: true });
      dispatch({ type: 'leave' });
    }, UI_LIMITS.uploadSuccessCloseMs);
    return () => clearTimeout(timer);
  }, [sent, session.kind, navigate]);

  const redeem = () => {
    void navigate('/menu?redeem', { replace: true });
    dispatch({ type: 'leave' });
  };
  const busy = isUploading(flow);
  return (
    <Modal.Root opened={opened} onClose={cancel} fullScreen closeOnEscape={!flow.asked}>
      <Modal.Overlay />
      <Modal.Content className={classes.content} aria-busy={busy}>
        <div className={classes.frame}>
          <div className={classes.header}>
            <Group className={classes.side}>
              {flow.step > 0 && !busy && sent === null && (
                <ActionIcon aria-label={t('back')} onClick={() => dispatch({ type: 'back' })}>
                  <IconArrowLeft aria-hidden />
                </ActionIcon>
              )}
            </Group>
            <Modal.Title className={classes.title}>
              {t(
                flow.step === 0
                  ? 'title'
                  : flow.step === 2
                    ? 'video.heading'
                    : flow.chosen?.kind === 'video'
                      ? 'video.crop'
                      : 'crop.heading',
              )}
            </Modal.Title>
            <Group className={classes.side} justify="flex-end">
              <ActionIcon aria-label={t('cancel')} onClick={cancel}>
                <IconX aria-hidden />
              </ActionIcon>
            </Group>
          </div>
          <Modal.Body className={classes.body}>
            {sent !== null ? (
              <SentNote kind={flow.chosen?.kind} />
            ) : flow.chosen === null ? (
              <ChooseStep
                given={given}
                onChoose={(file, kind) => dispatch({ type: 'choose', file, kind })}
                onRedeem={redeem}
              />
            ) : (
              <Suspense fallback={<Spinner />}>
                <CropStep chosen={flow.chosen} flow={flow} frame={frame} dispatch={dispatch} send={send} />
              </Suspense>
            )}
          </Modal.Body>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** 'uploadSuccess' message, shown for two seconds before the dialog closes. */
function SentNote({ kind }: { kind: FileKind | undefined }) {
  const { t } = useTranslation('upload');
  return (
    <Stack className={classes.centred} align="center" gap="sm" role="alert">
      <IconCircleCheck className={classes.sentIcon} aria-hidden />
      <Title order={2}>{t('success.title')}</Title>
      <Text c="dimmed">{t(kind === 'video' ? 'success.textVideo' : 'success.text')}</Text>
    </Stack>
  );
}
