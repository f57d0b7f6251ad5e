import type { DeviceType } from '@framelift/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import type { Dispatch, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { percentOf } from '../../api/device-types.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { keptShare, parseRatio, type Rect } from '../../ui/crop/crop-rect.ts';
import { editedCrop } from '../../ui/crop/picture-edit.ts';
import { FileButton } from '../../ui/FileButton.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { DeviceTypeSelect } from './DeviceTypeSelect.tsx';
import type { DeviceTypeChoice } from './device-type-choice.ts';
import { acceptOf } from './file-rules.ts';
import { areaAround } from './focus.ts';
import { ItemCard } from './ItemCard.tsx';
import { ItemCropper } from './ItemCropper.tsx';
import classes from './ManyPhotos.module.css';
import {
  canGoOn,
  type Item,
  isDone,
  isFailed,
  isInterrupted,
  type ManyEvent,
  type ManyFlow,
  progressOf,
} from './many-flow.ts';
import { PriceNote } from './PriceNote.tsx';
import { RefusedFiles } from './RefusedFiles.tsx';
import { StrengthField } from './StrengthField.tsx';
import { useAcceptedTypes } from './use-accepted-types.ts';
import { useGoOn } from './use-go-on.ts';
import type { Payment } from './use-payment.ts';
import { type ItemOrder, useSendingMany } from './use-sending-many.ts';
import { useThumbnails } from './use-thumbnails.ts';

/** A crop that keeps less of a picture is mentioned, with a device type that keeps this much more of it. */
const LITTLE = 0.6;
const GAIN = 0.2;

interface ManyPhotosProps {
  readonly flow: ManyFlow;
  readonly dispatch: Dispatch<ManyEvent>;
  readonly frame: DeviceTypeChoice;
  readonly onAdd: (files: readonly File[]) => void;
  /** Replaces the upload by another step; undefined when it can begin. */
  readonly beforeUpload: (() => void) | undefined;
  /** Uploads as soon as it can: it was asked for before the guest session began. */
  readonly goOn: boolean;
  /** Id of the album or the frame that gets the results. */
  readonly to: string | undefined;
  /** The field that chooses a frame to show them on. */
  readonly showOn: ReactNode;
  readonly payment: Payment;
  /** Leaves for the member's content. */
  readonly onFinish: () => void;
}

/** One screen for several files: their crops, one strength and frame for all, and one progress while they are sent. */
export function ManyPhotos({
  flow,
  dispatch,
  frame,
  onAdd,
  beforeUpload,
  goOn,
  to,
  showOn,
  payment,
  onFinish,
}: ManyPhotosProps) {
  const { t } = useTranslation('upload');
  const nameOf = useDeviceName();
  const accepted = useAcceptedTypes();
  const { items, refused, running } = flow;
  const { device, effect } = frame;
  const all = frame.devices.data ?? [];

  const deviceOf = (item: Item) => all.find(({ id }) => id === item.deviceTypeId) ?? device;
  const areaOf = (item: Item): Rect | null => {
    if (item.shown.state !== 'ready') return null;
    return item.area ?? areaAround(item.shown.focus, item.shown.source, parseRatio(deviceOf(item)?.ratio));
  };
  const orderOf = (item: Item): ItemOrder => {
    const own = deviceOf(item);
    const area = areaOf(item);
    const ready = item.shown.state === 'ready' ? item.shown : null;
    return {
      deviceTypeId: own?.id ?? 0,
      to,
      crop: ready && editedCrop(area, ready.source, parseRatio(own?.ratio), item.edit),
      ground: ready ? ready.ground : null,
    };
  };
  useThumbnails(items, dispatch);
  useSendingMany(flow, dispatch, orderOf, effect && percentOf(effect));

  const hasStarted = running || items.some((item) => isFailed(item) || isDone(item));
  const ready = items.length > 0 && items.every(({ shown }) => shown.state !== 'loading');
  const prices = items.filter((item) => !isDone(item)).map((item) => payment.priceOf(deviceOf(item)?.id, item.kind));
  const isPayable = payment.costOf(prices).isEnough;
  const begin = () => (beforeUpload ? beforeUpload() : dispatch({ type: 'start' }));
  useGoOn(goOn && ready && device !== undefined && effect !== undefined && isPayable, begin);

  const edited = items.find(({ key }) => key === flow.editing);
  if (edited && edited.shown.state === 'ready') {
    const own = deviceOf(edited);
    return (
      <ItemCropper
        key={edited.key}
        item={edited}
        ratio={parseRatio(own?.ratio)}
        deviceName={own ? nameOf(own) : ''}
        preview={
          own && effect && percentOf(effect) > 0 && !beforeUpload ? { percent: percentOf(effect), device: own } : null
        }
        initialArea={areaOf(edited)}
        onUseSame={
          edited.deviceTypeId === null
            ? undefined
            : () => dispatch({ type: 'device', keys: [edited.key], deviceTypeId: null })
        }
        onDone={(area, edit) => dispatch({ type: 'crop', key: edited.key, area, edit })}
      />
    );
  }

  const done = items.filter(isDone);
  const suggestion = device && !hasStarted ? betterDevice(items, device, all) : null;

  return (
    <div className={classes.step}>
      <Stack className={classes.cards} gap="md">
        <RefusedFiles refused={refused} dispatch={dispatch} />
        <ul className={classes.list} aria-label={t('many.list')}>
          {items.map((item) => {
            const own = deviceOf(item);
            return (
              <ItemCard
                key={item.key}
                item={item}
                ratio={parseRatio(own?.ratio)}
                area={areaOf(item)}
                deviceName={item.deviceTypeId !== null && own ? nameOf(own) : null}
                running={running}
                onEdit={() => dispatch({ type: 'edit', key: item.key })}
                onRemove={() => dispatch({ type: 'remove', key: item.key })}
              />
            );
          })}
        </ul>
        {!hasStarted && (
          <FileButton accept={acceptOf('picture', accepted)} multiple onFiles={onAdd}>
            {(open) => (
              <Button variant="default" leftSection={<IconPlus size="1.1em" aria-hidden />} onClick={open}>
                {t('many.add')}
              </Button>
            )}
          </FileButton>
        )}
      </Stack>

      <Stack gap="lg" className={classes.form} inert={hasStarted} data-locked={hasStarted || undefined}>
        <DeviceTypeSelect
          frame={frame}
          onChange={() => dispatch({ type: 'device', keys: items.map(({ key }) => key), deviceTypeId: null })}
        />
        {showOn}
        <StrengthField frame={frame} kind="picture" onChange={() => {}} />
        {/* Last, because it comes when the photos are known: nothing moves. */}
        {suggestion && device && (
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{t('many.suggestion', { count: suggestion.keys.length, device: nameOf(device) })}</Text>
            <Button
              variant="default"
              onClick={() => dispatch({ type: 'device', keys: suggestion.keys, deviceTypeId: suggestion.device.id })}
            >
              {t('many.useFor', { count: suggestion.keys.length, device: nameOf(suggestion.device) })}
            </Button>
            {suggestion.photos.length > 0 && (
              <Button
                variant="default"
                onClick={() => dispatch({ type: 'border', keys: suggestion.photos, border: 'blur' })}
              >
                {t('many.wholeFor', { count: suggestion.photos.length })}
              </Button>
            )}
          </Stack>
        )}
      </Stack>

      <Stack gap="sm" className={classes.actions}>
        {hasStarted && <Overall flow={flow} />}
        {!running && <PriceNote payment={payment} prices={prices} />}
        {running ? (
          <Button variant="default" onClick={() => dispatch({ type: 'stop' })}>
            {t('many.cancelAll')}
          </Button>
        ) : !hasStarted ? (
          <Button size="lg" disabled={!device || !effect || !ready || !isPayable} onClick={begin}>
            {t('many.convertAll', { count: items.length })}
          </Button>
        ) : (
          <Group grow>
            {done.length > 0 && (
              <Button variant="default" onClick={onFinish}>
                {t('many.finish')}
              </Button>
            )}
            {canGoOn(flow) && (
              <Button disabled={!isPayable} onClick={() => dispatch({ type: 'goOn' })}>
                {t('many.goOn')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </div>
  );
}

/** The progress of all items: how many are uploaded, and whether the line is broken. */
function Overall({ flow }: { readonly flow: ManyFlow }) {
  const { t } = useTranslation('upload');
  const { items, running } = flow;
  const done = items.filter(isDone).length;
  const failed = items.filter(isFailed).length;
  const text = t('many.progress', { done, total: items.length });
  return (
    <Stack gap="xs">
      <Text role="status">
        {isInterrupted(flow) ? t('sending.waiting') : text}
        {failed > 0 && !running && ` ${t('many.failed', { count: failed })}`}
      </Text>
      <div className={classes.bar}>
        <ProgressBar value={progressOf(flow) * 100} label={text} />
      </div>
    </Stack>
  );
}

/** Returns the items of which the device type shows little, and the device type that shows most of them. */
function betterDevice(
  items: readonly Item[],
  device: DeviceType,
  all: readonly DeviceType[],
): { readonly keys: readonly number[]; readonly photos: readonly number[]; readonly device: DeviceType } | null {
  const share = (item: Item, { ratio }: DeviceType) =>
    item.shown.state === 'ready' ? keptShare(item.shown.source, parseRatio(ratio)) : 1;
  const cut = items.filter((item) => item.deviceTypeId === null && !item.edit.border && share(item, device) < LITTLE);
  const mean = (one: DeviceType) => cut.reduce((sum, item) => sum + share(item, one), 0) / cut.length;
  const best = all.toSorted((a, b) => mean(b) - mean(a))[0];
  return best && cut.length > 0 && mean(best) >= mean(device) + GAIN
    ? {
        keys: cut.map(({ key }) => key),
        photos: cut.filter(({ kind }) => kind === 'picture').map(({ key }) => key),
        device: best,
      }
    : null;
}
