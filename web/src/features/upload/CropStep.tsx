import { LIMITS } from '@framelift/contract';
import type { PairLayout } from '@framelift/contract/formats';
import { isSqueezed, isSqueezedPicture, packingOf, pairOfName, pairPlaces } from '@framelift/engine/formats';
import { placeInPair } from '@framelift/engine/geometry';
import { Button, Group, Stack, Text } from '@mantine/core';
import IconPhotoOff from '@tabler/icons-react/icons/IconPhotoOff';
import IconRefresh from '@tabler/icons-react/icons/IconRefresh';
import { type Dispatch, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { percentOf } from '../../api/device-types.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { CropTools } from '../../ui/crop/CropTools.tsx';
import { isLargeEnough, isSmall, parseRatio, type Rect, type Size } from '../../ui/crop/crop-rect.ts';
import { EditedCropper } from '../../ui/crop/EditedCropper.tsx';
import { editedCrop } from '../../ui/crop/picture-edit.ts';
import { useEditedPicture } from '../../ui/crop/use-edited-picture.ts';
import { FileButton } from '../../ui/FileButton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import classes from './CropStep.module.css';
import { fileKey } from './DepthPreview.tsx';
import { DeviceTypeSelect } from './DeviceTypeSelect.tsx';
import type { DeviceTypeChoice } from './device-type-choice.ts';
import { acceptOf, fileProblem, isAnimated, sniff } from './file-rules.ts';
import { GroundField } from './GroundField.tsx';
import { KeptShare } from './KeptShare.tsx';
import { PairField } from './PairField.tsx';
import { PriceNote } from './PriceNote.tsx';
import { SendingStatus } from './SendingStatus.tsx';
import { StrengthField } from './StrengthField.tsx';
import type { UploadOrder } from './send-media.ts';
import { type Chosen, isUploading, type UploadEvent, type UploadFlow } from './upload-flow.ts';
import { useAcceptedTypes } from './use-accepted-types.ts';
import { useGoOn } from './use-go-on.ts';
import { useLeftEye } from './use-left-eye.ts';
import type { Payment } from './use-payment.ts';
import { VideoPlayer } from './VideoPlayer.tsx';

interface CropStepProps {
  readonly chosen: Chosen;
  readonly flow: UploadFlow;
  readonly frame: DeviceTypeChoice;
  readonly dispatch: Dispatch<UploadEvent>;
  readonly send: (order: UploadOrder) => void;
  /** Replaces the upload by another step; undefined when it can begin. */
  readonly beforeUpload: (() => void) | undefined;
  /** Uploads as soon as it can: it was asked for before the guest session began. */
  readonly goOn: boolean;
  /** The field that chooses a frame to show the result on. */
  readonly showOn: ReactNode;
  readonly payment: Payment;
}

/**
 * Step 1: crop to the frame, choose frame and strength, upload. For a video a still is cropped, and step 2 shows the
 * video itself with strength and upload.
 */
export function CropStep({ chosen, flow, frame, dispatch, send, beforeUpload, goOn, showOn, payment }: CropStepProps) {
  const { t } = useTranslation('upload');
  const { file, kind, shown } = chosen;
  const nameOf = useDeviceName();
  const { device, effect } = frame;
  const accepted = useAcceptedTypes();
  const ratio = parseRatio(device?.ratio);
  const isVideo = kind === 'video';
  const ready = shown.state === 'ready' ? shown : null;
  const supposed = ready ? placesOf(flow.pair, ready, file.name, isVideo ? isSqueezed : isSqueezedPicture) : null;
  const places = flow.pair ? supposed : null;
  // Of a chosen pair the left eye is cropped; the other one follows. A guess may be wrong: it hides nothing.
  const eye = useLeftEye(ready, places);
  const picture = useEditedPicture(eye?.url ?? null, eye?.source ?? null, flow.edit, Boolean(ready?.ground));
  const [tilting, setTilting] = useState<number | null>(null);
  const rect = picture && editedCrop(flow.area, picture.size, ratio, flow.edit);
  const ground = shown.state === 'ready' && shown.ground ? (flow.ground ?? shown.ground) : null;
  const uploading = isUploading(flow);
  const reason = whyNot(chosen, rect);
  const isSoft = rect !== null && !isVideo && isSmall(rect);

  // Visitors have no session that may ask for it. While it is left to the server whether a picture is a pair, nobody
  // knows yet what becomes of it.
  const isUnsure = flow.pair === null && supposed !== null;
  const preview =
    ready && picture && rect && !isVideo && !isUnsure && reason === null && !beforeUpload
      ? { ...picture, picture: `${fileKey(file)} ${places?.layout}`, rect, ground }
      : null;

  const note = () => {
    if (reason === 'measuring') return t('crop.measuring');
    if (reason === 'tooSmall') return t('crop.tooSmall', { least: leastOf(kind) });
    const pixels = (value: number) => formatNumber(value, currentLanguage());
    return rect && t(isSoft ? 'crop.small' : 'crop.size', { width: pixels(rect.width), height: pixels(rect.height) });
  };

  const prices = [payment.priceOf(device?.id, kind)];
  const isPayable = payment.costOf(prices).isEnough;

  const submit = () => {
    if (!device || !effect || reason || !isPayable) return;
    if (beforeUpload) return beforeUpload();
    send({
      file,
      kind,
      deviceTypeId: device.id,
      effectId: effect.id,
      crop: rect && places ? placeInPair(rect, places) : rect,
      ground,
      pair: flow.pair,
      ticket: flow.ticket,
    });
  };
  useGoOn(goOn && device !== undefined && effect !== undefined && reason === null && isPayable, submit);
  const retake = async (again: File | undefined) => {
    if (!again) return dispatch({ type: 'back' });
    const sniffed = await sniff(again);
    const animated = isVideo && (await isAnimated(again, sniffed));
    const isGood = fileProblem(again, kind, { sniffed, accepted, animated }) === null;
    if (isGood) dispatch({ type: 'choose', file: again, kind });
    else dispatch({ type: 'back' });
  };

  return (
    <div className={classes.step}>
      <div className={classes.picture}>
        {flow.step === 2 && <VideoPlayer file={file} ground={ground} />}
        {flow.step === 1 && shown.state === 'loading' && (
          <div className={classes.waiting}>
            <Spinner />
            <Text c="dimmed">
              {isVideo
                ? t('crop.loadingVideo')
                : /\.(hei[cf]s?|hif)$/i.test(file.name)
                  ? t('crop.loadingHeic')
                  : t('crop.loading')}
            </Text>
          </div>
        )}
        {flow.step === 1 && shown.state === 'ready' && (
          <EditedCropper
            picture={picture}
            edit={flow.edit}
            tilting={tilting}
            ratio={ratio}
            deviceName={device ? nameOf(device) : ''}
            rect={rect}
            area={flow.area}
            initialArea={flow.area}
            ground={ground}
            locked={uploading}
            onArea={(area) => dispatch({ type: 'area', area })}
          />
        )}
        {flow.step === 1 && shown.state === 'unshowable' && (
          <Stack className={classes.waiting} align="center" gap="sm">
            <IconPhotoOff className={classes.unshowable} aria-hidden />
            <Text fw={600}>{file.name}</Text>
            <Text c="dimmed" ta="center" role="status">
              {kind === 'video' ? t('crop.video') : t('crop.unshowable')}
            </Text>
          </Stack>
        )}
      </div>

      <Stack gap="lg" className={classes.form} inert={uploading} data-locked={uploading || undefined}>
        {flow.step === 1 && <DeviceTypeSelect frame={frame} onChange={() => dispatch({ type: 'formChanged' })} />}
        {(!isVideo || flow.step === 2) && showOn}
        {flow.step === 1 && picture && !flow.edit.border && (
          <KeptShare kind={kind} frame={frame} source={picture.size} />
        )}
        {flow.step === 1 && ready?.pair && (
          <PairField
            kind={kind}
            value={flow.pair}
            url={ready.url}
            places={supposed}
            onChange={(pair) => dispatch({ type: 'pair', pair })}
          />
        )}
        {flow.step === 1 && !isVideo && !places && (
          // Also while the picture is opened, or if it cannot be shown, so that what is below stays where it is.
          <div className={classes.tools} inert={!ready}>
            <CropTools edit={flow.edit} onChange={(edit) => dispatch({ type: 'edit', edit })} onTilting={setTilting} />
          </div>
        )}
        {flow.step === 1 && ground && (
          <GroundField kind={kind} value={ground} onChange={(chosen) => dispatch({ type: 'ground', ground: chosen })} />
        )}
        {(!isVideo || flow.step === 2) && (
          <StrengthField
            frame={frame}
            kind={kind}
            preview={preview}
            stopped={uploading}
            onChange={() => dispatch({ type: 'formChanged' })}
          />
        )}
        {flow.step === 2 && (
          <Text size="sm" c="dimmed">
            {t('video.note')}
          </Text>
        )}
      </Stack>
      <Stack gap="sm" className={classes.actions}>
        {!uploading && (!isVideo || flow.step === 2) && <PriceNote payment={payment} prices={prices} />}
        {flow.sending.phase === 'idle' ? (
          <>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <Text
                size="sm"
                c={
                  reason === 'tooSmall' ? 'var(--mantine-color-error)' : isSoft ? 'var(--mantine-color-text)' : 'dimmed'
                }
                id="crop-note"
              >
                {note()}
              </Text>
              <FileButton accept={acceptOf(kind, accepted)} onFiles={([again]) => void retake(again)}>
                {(open) => (
                  <Button
                    variant="subtle"
                    color="gray"
                    className={classes.retake}
                    leftSection={<IconRefresh size="1.1em" aria-hidden />}
                    onClick={open}
                  >
                    {t('retake')}
                  </Button>
                )}
              </FileButton>
            </Group>
            {isVideo && flow.step === 1 ? (
              <Button
                size="lg"
                disabled={!device || reason !== null}
                aria-describedby="crop-note"
                onClick={() => dispatch({ type: 'next' })}
              >
                {t('video.next')}
              </Button>
            ) : (
              <Button
                size="lg"
                disabled={!device || !effect || reason !== null || !isPayable}
                aria-describedby="crop-note"
                data-guide="submit"
                onClick={submit}
              >
                {effect && percentOf(effect) === 0 ? t('submitFlat') : t('submit')}
              </Button>
            )}
          </>
        ) : (
          <SendingStatus
            sending={flow.sending}
            onCancel={() => dispatch({ type: 'abort' })}
            onRetry={submit}
            onChooseAnother={() => dispatch({ type: 'back' })}
            onDismiss={() => dispatch({ type: 'formChanged' })}
          />
        )}
      </Stack>
    </div>
  );
}

/** Returns where the two eyes of a picture or video are, as chosen or as supposed; null for an ordinary one. */
function placesOf(
  choice: UploadFlow['pair'],
  { pair, source }: { readonly pair: PairLayout | null; readonly source: Size },
  name: string,
  isSqueezedShape: typeof isSqueezed,
) {
  const layout = choice ?? pair;
  if (layout === null || layout === 'flat') return null;
  const packing = packingOf(layout);
  const named = pairOfName(name);
  const told = named?.packing === packing ? named.squeezed : null;
  return pairPlaces(source, layout, told ?? isSqueezedShape(packing, source.width / source.height));
}

/**
 * Returns why the upload button is disabled; null if it is enabled. A file that cannot be shown is uploaded uncropped.
 */
function whyNot({ shown, kind }: Chosen, rect: Rect | null): 'loading' | 'measuring' | 'tooSmall' | null {
  if (shown.state === 'loading') return 'loading';
  if (shown.state === 'unshowable') return null;
  if (!rect) return 'measuring';
  return isLargeEnough(rect, leastOf(kind)) ? null : 'tooSmall';
}

const leastOf = (kind: Chosen['kind']) => (kind === 'video' ? LIMITS.video.minCropPx : LIMITS.crop.leastPx);
