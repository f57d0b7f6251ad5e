import { MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeMedia } from '../../../api/media.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { useDeviceName } from '../../../shared/device-name.ts';
import { CropTools } from '../../../ui/crop/CropTools.tsx';
import { isLargeEnough, isSmall, parseRatio, type Rect, type Size } from '../../../ui/crop/crop-rect.ts';
import { EditedCropper } from '../../../ui/crop/EditedCropper.tsx';
import { type Edit, editedCrop, editOf, isMoved, isSameMove } from '../../../ui/crop/picture-edit.ts';
import { useEditedPicture } from '../../../ui/crop/use-edited-picture.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import layout from '../ResultView.module.css';
import classes from './CropAgain.module.css';

interface CropAgainProps {
  readonly media: MediaDetail;
  readonly whole: string;
  readonly source: Size;
  readonly onClose: () => void;
}

/** Crops the same upload again. The depth is estimated again, so it takes as long as the first conversion. */
export function CropAgain({ media, whole, source, onClose }: CropAgainProps) {
  const { t } = useTranslation('edit');
  const [area, setArea] = useState<Rect | null>(null);
  const [shown, setShown] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [tries, setTries] = useState(0);
  // The server generates the picture on the first request, which takes seconds. Every attempt requests it again.
  useEffect(() => {
    const image = new Image();
    image.onload = () => setShown('ready');
    image.onerror = () => setShown('failed');
    image.src = whole;
    setShown('loading');
    return () => {
      image.onload = null;
      image.onerror = null;
    };
  }, [whole, tries]);
  const nameOf = useDeviceName();
  const ratio = parseRatio(media.deviceType.ratio);
  const [edit, setEdit] = useState(() => editOf(media.crop));
  const [tilting, setTilting] = useState<number | null>(null);
  const picture = useEditedPicture(shown === 'ready' ? whole : null, source, edit);
  const rect = picture && editedCrop(area, picture.size, ratio, edit);
  // An edited picture begins with the crop that it has, any other with its middle.
  const first = editOf(media.crop);
  const initialArea = isMoved(first) && isSameMove(first, edit) && picture ? areaOf(media.crop, picture.size) : null;
  const change = (next: Edit) => {
    if (!isSameMove(edit, next)) setArea(null);
    setEdit(next);
  };
  const tooSmall = rect !== null && !isLargeEnough(rect);
  const soft = rect !== null && isSmall(rect);
  const pixels = (value: number) => formatNumber(value, currentLanguage());
  const save = useMutation(changeMedia(media.id));

  return (
    <div className={layout.layout}>
      <div className={classes.stage}>
        {shown === 'ready' ? (
          <EditedCropper
            picture={picture}
            edit={edit}
            tilting={tilting}
            initialArea={initialArea}
            ratio={ratio}
            deviceName={nameOf(media.deviceType)}
            rect={rect}
            area={area}
            locked={save.isPending}
            onArea={setArea}
          />
        ) : (
          <Stack className={classes.waiting} align="center" role="status">
            {shown === 'loading' && <Spinner />}
            <Text c="dimmed">{t(`crop.${shown}`)}</Text>
            {shown === 'failed' && (
              <Button variant="default" onClick={() => setTries(tries + 1)}>
                {t('crop.retry')}
              </Button>
            )}
          </Stack>
        )}
      </div>
      <Stack gap="md">
        <Title order={1}>{t('crop.title')}</Title>
        <Text>{t('crop.help', { device: nameOf(media.deviceType) })}</Text>
        <Text
          className={classes.note}
          c={tooSmall ? 'var(--mantine-color-error)' : soft ? 'var(--mantine-color-text)' : 'dimmed'}
          role="status"
        >
          {tooSmall
            ? t('crop.tooSmall')
            : rect && t(soft ? 'crop.small' : 'crop.size', { width: pixels(rect.width), height: pixels(rect.height) })}
        </Text>
        {media.media_type === MEDIA_TYPE.picture && (
          // Also while the picture is opened, so that the buttons below stay where they are.
          <div className={classes.tools} inert={shown !== 'ready'}>
            <CropTools edit={edit} onChange={change} onTilting={setTilting} />
          </div>
        )}
        <Button
          size="lg"
          disabled={!rect || tooSmall}
          loading={save.isPending}
          onClick={() => save.mutate({ crop: rect })}
        >
          {t('crop.save')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose} disabled={save.isPending}>
          {t('cancel')}
        </Button>
      </Stack>
    </div>
  );
}

/** Returns a crop in percent of the picture; null for one with a border, which lies outside. */
function areaOf(crop: MediaDetail['crop'], { width, height }: Size): Rect | null {
  if (!crop || crop.border) return null;
  const percent = (part: number, whole: number) => (part / whole) * 100;
  return {
    x: percent(crop.x, width),
    y: percent(crop.y, height),
    width: percent(crop.width, width),
    height: percent(crop.height, height),
  };
}
