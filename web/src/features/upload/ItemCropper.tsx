import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cropRect, type Ratio, type Rect } from '../../ui/crop/crop-rect.ts';
import { PictureCropper } from '../../ui/crop/PictureCropper.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import classes from './CropStep.module.css';
import type { Item } from './many-flow.ts';
import { type ShownPicture, showPicture } from './show-picture.ts';
import { showVideo } from './show-video.ts';

interface ItemCropperProps {
  readonly item: Item;
  readonly ratio: Ratio;
  readonly deviceName: string;
  readonly initialArea: Rect | null;
  readonly onArea: (area: Rect) => void;
  /** Returns from its own frame to the one of the others; undefined if it has none. */
  readonly onUseSame: (() => void) | undefined;
  readonly onDone: () => void;
}

/** The cropper for one of several files. */
export function ItemCropper({ item, ratio, deviceName, initialArea, onArea, onUseSame, onDone }: ItemCropperProps) {
  const { t } = useTranslation('upload');
  const { file, kind } = item;
  const [shown, setShown] = useState<ShownPicture | null>(null);
  const [first] = useState(initialArea);
  const [area, setArea] = useState(initialArea);
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
  return (
    <div className={classes.step}>
      <div className={classes.picture}>
        {shown ? (
          <PictureCropper
            key={shown.url}
            url={shown.url}
            ratio={ratio}
            deviceName={deviceName}
            rect={area && cropRect(area, shown.source, ratio)}
            area={area}
            initialArea={first}
            ground={shown.ground}
            locked={false}
            onArea={(chosen) => {
              setArea(chosen);
              onArea(chosen);
            }}
          />
        ) : (
          <div className={classes.waiting}>
            <Spinner />
          </div>
        )}
      </div>
      <Stack gap="lg" className={classes.form}>
        <Text fw={500}>{file.name}</Text>
        <Text c="dimmed">{deviceName}</Text>
        {onUseSame && (
          <Button variant="default" onClick={onUseSame}>
            {t('many.useSame')}
          </Button>
        )}
      </Stack>
      <Stack gap="sm" className={classes.actions}>
        <Button size="lg" onClick={onDone}>
          {t('many.cropDone')}
        </Button>
      </Stack>
    </div>
  );
}
