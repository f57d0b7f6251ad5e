import type { FileKind, OwnFrame } from '@framelift/contract';
import { ActionIcon, Group, Modal, Stack, Text, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/icons/IconArrowLeft';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconX from '@tabler/icons-react/icons/IconX';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { percentOf } from '../../api/device-types.ts';
import { refreshMany } from '../../api/media.ts';
import { useSession } from '../../api/session.ts';
import { errorText } from '../../i18n/error-text.ts';
import { keepSentPicture } from '../../shared/sent-picture.ts';
import { takeSharedFiles } from '../../shared/shared-files.ts';
import type { UploadStart } from '../../shared/upload-dialog.tsx';
import { readUploadNote } from '../../shared/upload-note.ts';
import { showAlert } from '../../ui/alerts.ts';
import { parseRatio } from '../../ui/crop/crop-rect.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useModalHistory } from '../../ui/use-modal-history.ts';
import type { AccountWay } from './AccountStep.tsx';
import { ChooseStep } from './ChooseStep.tsx';
import { useDeviceTypeChoice } from './device-type-choice.ts';
import { forgetSelection, keepSelection, takeSelection } from './kept-selection.ts';
import type { KeptSelection } from './kept-store.ts';
import { forgetUpload, unfinishedUpload } from './kept-upload.ts';
import { isDone, isFailed, keyOf, manyFlow, noItems } from './many-flow.ts';
import { ShowOnField, useTargetFrames } from './ShowOnField.tsx';
import type { UploadOrder } from './send-media.ts';
import type { Taken } from './take-files.ts';
import classes from './UploadDialog.module.css';
import { isUploading, mustAsk, startOfUpload, uploadFlow } from './upload-flow.ts';
import { useKeptUpload } from './use-kept-upload.ts';
import { usePayment } from './use-payment.ts';
import { useSending } from './use-sending.ts';
import { useShownPicture } from './use-shown-picture.ts';
import { useTaking } from './use-taking.ts';

const AccountStep = lazyNamed(() => import('./AccountStep.tsx'), 'AccountStep');
const CropStep = lazyNamed(() => import('./CropStep.tsx'), 'CropStep');
const ManyPhotos = lazyNamed(() => import('./ManyPhotos.tsx'), 'ManyPhotos');
const RewardedAd = lazyNamed(() => import('../../shared/rewarded-ad/RewardedAd.tsx'), 'RewardedAd');

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
  const queries = useQueryClient();
  const [flow, dispatch] = useReducer(uploadFlow, startOfUpload);
  const [many, dispatchMany] = useReducer(manyFlow, noItems);
  const hasMany = many.items.length + many.refused.length > 0;
  /** What a visitor has chosen, while they are asked for an account. */
  const [selection, setSelection] = useState<KeptSelection | null>(null);
  const [goesOn, setGoesOn] = useState(false);
  const sendOne = useSending(flow, dispatch);
  const frames = useTargetFrames(opened);
  /** The frame that was chosen, null for none; undefined leaves it as the dialog was opened. */
  const [target, setTarget] = useState<string | null>();
  const to = target === undefined ? start.to : (target ?? undefined);
  const send = (order: UploadOrder) => sendOne({ ...order, to });
  useShownPicture(flow.chosen, dispatch);
  const frame = useDeviceTypeChoice(start.deviceTypeId, flow.chosen?.kind ?? 'picture', opened);

  const cancel = () => {
    const asks = hasMany ? !many.items.every(isDone) : mustAsk(flow);
    dispatch({ type: 'cancel', asks });
    if (!asks) return;
    void showAlert(question(isUploading(flow) || many.running, hasMany)).then(({ button }) => {
      if (button === 'leave') void forgetSelection();
      dispatch({ type: button === 'leave' ? 'leave' : 'stay' });
    });
  };
  const question = (uploading: boolean, several: boolean) => ({
    title: t(uploading ? 'stopTitle' : several ? 'many.discardTitle' : 'areYouSure'),
    content: t(uploading ? 'stopUpload' : several ? 'many.discardText' : 'notSaving'),
    buttons: [
      { value: 'stay', label: t(uploading ? 'keepUploading' : several ? 'many.keep' : 'keepCrop') },
      {
        value: 'leave',
        label: t(uploading ? 'stopNow' : several ? 'many.discard' : 'discardCrop'),
        look: 'danger' as const,
      },
    ],
  });
  // "Back" removes the dialog's history entry before it asks; staying creates a new one.
  const closeTop = useModalHistory(opened && !flow.asked, cancel);

  useEffect(() => {
    if (!opened) return;
    dispatch({ type: 'open' });
    dispatchMany({ type: 'clear' });
    setTarget(undefined);
  }, [opened]);
  const onTaken = (files: Taken) => {
    const [only] = files.taken;
    setGoesOn(false);
    if (isUploading(flow) || many.running) {
      showToast({ kind: 'info', text: t('many.busy') });
    } else if (only && files.taken.length + files.refused.length === 1 && !hasMany && !flow.chosen) {
      dispatch({ type: 'choose', ...only });
    } else {
      // A photo that is already in the cropper becomes the first of them, with its crop.
      const { chosen, area, edit } = flow;
      dispatchMany({ type: 'add', files: chosen ? { ...files, taken: [chosen, ...files.taken] } : files });
      if (chosen) dispatchMany({ type: 'crop', key: many.nextKey, area, edit });
      if (chosen) dispatch({ type: 'back' });
    }
  };
  const taking = useTaking({ onTaken, onRedeem: () => redeem() });
  const restore = ({ files, deviceTypeId, percent, to }: KeptSelection) => {
    const only = files.length === 1 ? files[0] : undefined;
    // One file alone is cropped for the frame of the dialog.
    frame.restore({ deviceTypeId: only?.deviceTypeId ?? deviceTypeId, percent });
    if (to !== undefined) setTarget(to);
    if (only) dispatch({ type: 'choose', ...only });
    else {
      dispatchMany({ type: 'add', files: { taken: files, refused: [] } });
      for (const [i, { area, edit, deviceTypeId }] of files.entries()) {
        const key = many.nextKey + i;
        dispatchMany({ type: 'crop', key, area, edit });
        dispatchMany({ type: 'device', keys: [key], deviceTypeId });
      }
    }
  };
  const userId = 'user' in session ? session.user.id : null;
  /** While what a reload has interrupted is read, nothing can be chosen. */
  const [reading, setReading] = useState(() => userId !== null && readUploadNote()?.owner === userId);
  const isOpen = useRef(false);
  const brought = useRef<UploadStart | null>(null);
  const bring = async (start: UploadStart) => {
    // A dialog that has files already is asked again when more are dropped, or a page asks for it as well.
    const { files, unfinished, chosen } = await bringFiles(start, hasMany || flow.chosen ? null : userId);
    if (!isOpen.current) return;
    // Rendered at once, so that the files that come next find these.
    flushSync(() => {
      const kept = unfinished ?? chosen;
      if (kept) restore(kept);
      // A guest has asked for the upload already; a member looks at their choice again, and both at what was interrupted.
      setGoesOn(chosen !== null && session.kind === 'guest');
      setReading(false);
    });
    if (unfinished) showToast({ kind: 'info', text: t('unfinished', { count: unfinished.files.length }) });
    if (files.length > 0) void taking.take(files);
  };
  const latest = useRef(bring);
  latest.current = bring;
  const { inTurn } = useRef(taking).current;
  useEffect(() => {
    isOpen.current = opened;
    // Once for each start: strict mode runs effects twice.
    if (opened && brought.current !== start) void inTurn(() => latest.current(start));
    brought.current = opened ? start : null;
    return () => {
      isOpen.current = false;
    };
  }, [opened, start, inTurn]);
  useEffect(() => {
    if (!opened || !flow.closed) return;
    void forgetUpload();
    onClose();
  }, [opened, flow.closed, onClose]);

  const noDevices = opened && frame.devices.data?.length === 0;
  useEffect(() => {
    if (!noDevices) return;
    const text = errorText('no_device_registered');
    void showAlert({ title: t('oops'), content: text, ms: UI_LIMITS.alertMs }).then(() => dispatch({ type: 'leave' }));
  }, [noDevices, t]);

  const sent = flow.sending.phase === 'done' ? flow.sending.mediaId : null;
  const shown = flow.chosen?.shown;
  const { area, edit } = flow;
  const { device } = frame;
  useEffect(() => {
    // Only shown while waiting: without it the wait works as well.
    if (sent !== null && shown?.state === 'ready')
      keepSentPicture(sent, shown, { area, edit, ratio: parseRatio(device?.ratio) }).catch(() => undefined);
  }, [sent, shown, area, edit, device]);
  useEffect(() => {
    if (sent === null) return;
    // Loaded before it is needed: otherwise the page below the dialog would be seen for a moment.
    if (session.kind === 'member') void import('./ConfirmUploadPage.tsx').catch(() => undefined);
    const timer = setTimeout(() => {
      const page = session.kind === 'guest' ? '/guestPage' : '/menu/confirmUpload';
      void navigate(`${page}?media=${sent}`, { replace: true });
      dispatch({ type: 'leave' });
    }, UI_LIMITS.uploadSuccessCloseMs);
    return () => clearTimeout(timer);
  }, [sent, session.kind, navigate]);

  const selectionNow = (): KeptSelection => {
    const chosen = flow.chosen
      ? [{ ...flow.chosen, area: flow.area, edit: flow.edit, deviceTypeId: null }]
      : many.items.filter((item) => !isDone(item));
    return {
      // Only what can be stored: the rest is made again.
      files: chosen.map(({ file, kind, area, edit, deviceTypeId }) => ({ file, kind, area, edit, deviceTypeId })),
      deviceTypeId: frame.device?.id,
      percent: frame.effect && percentOf(frame.effect),
    };
  };
  const askForAccount = () => setSelection(selectionNow());
  const beforeUpload = session.kind === 'visitor' ? askForAccount : undefined;
  const leaveForAccount = (way: AccountWay) => {
    const back = `redirect=${encodeURIComponent('/?action=upload')}`;
    void navigate(way === 'guest' ? `/login?guest=1&${back}` : `/${way}?${back}`, { replace: true });
    dispatch({ type: 'leave' });
  };
  const [watchingAd, setWatchingAd] = useState(false);
  const settled = many.items.filter((item) => isDone(item) || isFailed(item)).length;
  const failedOnce = flow.sending.phase === 'failed' ? 1 : 0;
  const payment = usePayment(opened, settled + failedOnce + (sent === null ? 0 : 1), {
    onWatchAd: () => setWatchingAd(true),
    // What was chosen is kept: the dialog begins with it the next time.
    onBuy: () =>
      void keepSelection(selectionNow()).then(() => {
        void navigate('/addValue', { replace: true });
        dispatch({ type: 'leave' });
      }),
  });
  const content = session.kind === 'guest' ? '/guestPage' : '/menu/video';
  const finish = () => {
    void navigate(content, { replace: true });
    dispatch({ type: 'leave' });
  };
  const latestFinish = useRef(finish);
  latestFinish.current = finish;
  const allSent = many.items.length > 0 && many.items.every(isDone) ? many.items.length : 0;
  useEffect(() => {
    if (allSent === 0) return;
    showToast({ kind: 'success', text: t('many.sent', { count: allSent }) });
    latestFinish.current();
  }, [allSent, t]);

  const redeem = () => {
    void navigate('/menu?redeem', { replace: true });
    dispatch({ type: 'leave' });
  };
  const showOnFrame = (chosen: OwnFrame | null) => {
    setTarget(chosen?.id ?? null);
    dispatch({ type: 'formChanged' });
    if (typeof chosen?.device_type_id !== 'number') return;
    // Cropped for it at once, not again by the server.
    frame.chooseDevice(chosen.device_type_id);
    dispatchMany({ type: 'device', keys: many.items.map(({ key }) => key), deviceTypeId: null });
  };
  const isForAlbum = to !== undefined && !frames.some(({ id }) => id === to);
  const showOn = frames.length > 0 && !isForAlbum && <ShowOnField frames={frames} value={to} onChange={showOnFrame} />;
  const busy = isUploading(flow) || many.running;
  useEffect(() => {
    if (!busy) return;
    setGoesOn(false);
    // The page below may list what has arrived.
    return () => void refreshMany(queries, []);
  }, [busy, queries]);
  const keysLeft = flow.chosen ? (sent === null ? [0] : []) : many.items.filter((item) => !isDone(item)).map(keyOf);
  useKeptUpload(busy, userId, keysLeft, () => ({ ...selectionNow(), to }));
  const back =
    selection !== null
      ? () => setSelection(null)
      : many.editing !== null
        ? () => dispatchMany({ type: 'edited' })
        : flow.step > 0 && !busy && sent === null
          ? () => dispatch({ type: 'back' })
          : null;
  return (
    <Modal.Root opened={opened} onClose={closeTop} fullScreen closeOnEscape={!flow.asked && !watchingAd}>
      <Modal.Overlay />
      <Modal.Content className={classes.content} aria-busy={busy}>
        <div className={classes.frame}>
          <div className={classes.header}>
            <Group className={classes.side}>
              {back && (
                <ActionIcon aria-label={t('back')} onClick={back}>
                  <IconArrowLeft aria-hidden />
                </ActionIcon>
              )}
            </Group>
            <Modal.Title className={classes.title}>
              {t(
                selection !== null
                  ? 'title'
                  : hasMany
                    ? many.editing === null
                      ? 'many.heading'
                      : 'many.cropHeading'
                    : flow.step === 0
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
            ) : selection !== null ? (
              <Suspense fallback={<Spinner />}>
                <AccountStep selection={selection} onChoose={leaveForAccount} />
              </Suspense>
            ) : hasMany ? (
              <Suspense fallback={<Spinner />}>
                <ManyPhotos
                  flow={many}
                  dispatch={dispatchMany}
                  frame={frame}
                  onAdd={(files) => void taking.take(files)}
                  beforeUpload={beforeUpload}
                  goOn={goesOn}
                  to={to}
                  showOn={showOn}
                  payment={payment}
                  onFinish={finish}
                />
              </Suspense>
            ) : reading ? (
              <Spinner />
            ) : flow.chosen === null ? (
              <ChooseStep {...taking} />
            ) : (
              <Suspense fallback={<Spinner />}>
                <CropStep
                  chosen={flow.chosen}
                  flow={flow}
                  frame={frame}
                  dispatch={dispatch}
                  send={send}
                  beforeUpload={beforeUpload}
                  goOn={goesOn}
                  showOn={showOn}
                  payment={payment}
                />
              </Suspense>
            )}
            <Suspense fallback={null}>
              {watchingAd && <RewardedAd opened onClose={() => setWatchingAd(false)} />}
            </Suspense>
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

/**
 * Returns the files that the dialog begins with, and what an interrupted upload left; without both what was chosen
 * before the login.
 */
async function bringFiles(
  { files = [] }: UploadStart,
  userId: string | null,
): Promise<{
  readonly files: readonly File[];
  readonly unfinished: KeptSelection | null;
  readonly chosen: KeptSelection | null;
}> {
  const brought = [...(await takeSharedFiles()), ...files];
  const unfinished = userId === null ? null : await unfinishedUpload(userId);
  const chosen = unfinished || brought.length > 0 ? null : await takeSelection();
  return { files: brought, unfinished, chosen };
}
