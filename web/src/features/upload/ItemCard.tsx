import { ActionIcon, Text, UnstyledButton } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCrop from '@tabler/icons-react/icons/IconCrop';
import IconMovie from '@tabler/icons-react/icons/IconMovie';
import IconPhotoOff from '@tabler/icons-react/icons/IconPhotoOff';
import IconX from '@tabler/icons-react/icons/IconX';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import type { Ratio, Rect } from '../../ui/crop/crop-rect.ts';
import { WholePicture } from '../../ui/crop/WholePicture.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import classes from './ManyPhotos.module.css';
import { type Item, isBusy, isDone } from './many-flow.ts';

interface ItemCardProps {
  readonly item: Item;
  readonly ratio: Ratio;
  /** Crop in percent of the picture. */
  readonly area: Rect | null;
  /** Name of its own device type, if it differs from the others'. */
  readonly deviceName: string | null;
  readonly running: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** One of several files: its crop as it will be sent, its name and its state. */
export function ItemCard({ item, ratio, area, deviceName, running, onEdit, onRemove }: ItemCardProps) {
  const { t } = useTranslation('upload');
  const { file, kind, shown, sending } = item;
  const canEdit = !running && shown.state === 'ready' && !isDone(item);
  return (
    <li className={classes.card} data-state={sending.phase}>
      <UnstyledButton
        className={classes.preview}
        style={{ aspectRatio: `${ratio[0]} / ${ratio[1]}` }}
        disabled={!canEdit}
        aria-label={t('many.cropOf', { name: file.name })}
        onClick={onEdit}
      >
        {shown.state === 'ready' && item.edit.border ? (
          <WholePicture url={shown.url} ratio={ratio} border={item.edit.border} alt="" />
        ) : shown.state === 'ready' && area ? (
          <img className={classes.picture} src={shown.url} alt="" style={placed(area, shown.ground)} />
        ) : shown.state === 'loading' ? null : kind === 'video' ? (
          <IconMovie className={classes.icon} aria-hidden />
        ) : (
          <IconPhotoOff className={classes.icon} aria-hidden />
        )}
        {canEdit && <IconCrop className={classes.hint} aria-hidden />}
      </UnstyledButton>
      <div className={classes.foot}>
        <div className={classes.words}>
          <Text size="sm" className={classes.name} title={file.name}>
            {file.name}
          </Text>
          <Text size="xs" c="dimmed" component="div" className={classes.state}>
            <ItemState item={item} running={running} deviceName={deviceName} />
          </Text>
        </div>
        {!isDone(item) && (
          <ActionIcon
            className={classes.remove}
            variant="subtle"
            color="gray"
            radius="xl"
            aria-label={t(isBusy(item) ? 'many.cancel' : 'many.remove', { name: file.name })}
            onClick={onRemove}
          >
            <IconX size="1.1rem" aria-hidden />
          </ActionIcon>
        )}
      </div>
    </li>
  );
}

function ItemState({
  item: { sending, shown },
  running,
  deviceName,
}: Pick<ItemCardProps, 'item' | 'running' | 'deviceName'>) {
  const { t } = useTranslation('upload');
  switch (sending.phase) {
    case 'failed':
      return (
        <span className={classes.failed}>
          <IconAlertTriangle size="1rem" aria-hidden /> {sending.failure.title ?? sending.failure.message}
        </span>
      );
    case 'done':
      return (
        <span className={classes.done}>
          <IconCircleCheck size="1rem" aria-hidden /> {t('many.state.done')}
        </span>
      );
    case 'sending': {
      const share = sending.total === 0 ? 0 : sending.sent / sending.total;
      const text = formatPercent(share, currentLanguage());
      return (
        <>
          {text}
          <ProgressBar value={share * 100} label={text} />
        </>
      );
    }
    case 'asking':
    case 'checking':
      return t(`many.state.${sending.phase}`);
    case 'idle':
      if (running) return t('many.state.waiting');
      if (shown.state === 'unshowable') return t('many.state.centred');
      return deviceName;
  }
}

/** Returns the position of the whole picture so that the crop fills its box. */
function placed(area: Rect, ground: string | null): CSSProperties {
  return {
    width: `${10_000 / area.width}%`,
    height: `${10_000 / area.height}%`,
    left: `${(-area.x / area.width) * 100}%`,
    top: `${(-area.y / area.height) * 100}%`,
    ...(ground && { background: ground }),
  };
}
