import type { DeviceType } from '@framelift/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CropTools } from '../../ui/crop/CropTools.tsx';
import { isLargeEnough, type Ratio, type Rect } from '../../ui/crop/crop-rect.ts';
import { EditedCropper } from '../../ui/crop/EditedCropper.tsx';
import { type Edit, editedCrop, isSameMove } from '../../ui/crop/picture-edit.ts';
import { useEditedPicture } from '../../ui/crop/use-edited-picture.ts';
import classes from './CropStep.module.css';
import { DepthPreview, fileKey } from './DepthPreview.tsx';
import type { Item } from './many-flow.ts';
import { type ShownPicture, showPicture } from './show-picture.ts';
import { showVideo } from './show-video.ts';

interface ItemCropperProps {
  readonly item: Item;
  readonly ratio: Ratio;
  readonly deviceName: string;
  /** How its preview is shown; null if there is none. */
  readonly preview?: { readonly percent: number; readonly device: DeviceType } | null;
  readonly initialArea: Rect | null;
  /** Returns from its own frame to the one of the others; undefined if it has none. */
  readonly onUseSame: (() => void) | undefined;
  readonly onDone: (area: Rect | null, edit: Edit) => void;
}

/** The cropper for one of several files. */
export function ItemCropper({ item, ratio, deviceName, preview, initialArea, onUseSame, onDone }: ItemCropperProps) {
  const { t } = useTranslation('upload');
  const { file, kind } = item;
  const [shown, setShown] = useState<ShownPicture | null>(null);
  const [area, setArea] = useState(initialArea);
  const [edit, setEdit] = useState(item.edit);
  const [tilting, setTilting] = useState<number | null>(null);
  const picture = useEditedPicture(shown?.url ?? null, shown?.source ?? null, edit, Boolean(shown?.ground));
  useEffect(() => {
    const stop = new AbortController();
    let url: string | undefined;
    // A file that was removed meanwhile is told when it is uploaded.
    void (kind === 'video' ? showVideo : showPicture)(file, stop.signal)
      .catch(() => null)
      .then((picture) => {
        if (stop.signal.aborted || !picture) return;
        url = picture.url;
        setShown(picture);
      });
    return () => {
      stop.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [file, kind]);
  const change = (next: Edit) => {
    if (!isSameMove(edit, next)) setArea(null);
    setEdit(next);
  };
  const rect = picture && editedCrop(area, picture.size, ratio, edit);
  // Of what may be a pair, the server decides what becomes of it.
  const source =
    shown && picture && rect && kind === 'picture' && !shown.pair && isLargeEnough(rect)
      ? { ...picture, picture: fileKey(file), rect, ground: shown.ground }
      : null;
  return (
    <div className={classes.step}>
      <div className={classes.picture}>
        <EditedCropper
          picture={picture}
          edit={edit}
          tilting={tilting}
          ratio={ratio}
          deviceName={deviceName}
          rect={rect}
          area={area}
          initialArea={isSameMove(edit, item.edit) ? initialArea : null}
          ground={shown?.ground ?? null}
          locked={false}
          onArea={setArea}
        />
      </div>
      <Stack gap="lg" className={classes.form}>
        <div>
          <Text fw={500}>{file.name}</Text>
          <Text c="dimmed">{deviceName}</Text>
        </div>
        {onUseSame && (
          <Button variant="default" onClick={onUseSame}>
            {t('many.useSame')}
          </Button>
        )}
        {kind === 'picture' && <CropTools edit={edit} onChange={change} onTilting={setTilting} />}
        {source && preview && <DepthPreview source={source} {...preview} stopped={false} />}
      </Stack>
      <Stack gap="sm" className={classes.actions}>
        <Button size="lg" onClick={() => onDone(area, edit)}>
          {t('many.cropDone')}
        </Button>
      </Stack>
    </div>
  );
}
