import type { MediaDetail } from '@framelift/contract';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeMedia } from '../../../api/media.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { useDeviceName } from '../../../shared/device-name.ts';
import { cropRect, isLargeEnough, isSmall, parseRatio, type Rect, type Size } from '../../../ui/crop/crop-rect.ts';
import { PictureCropper } from '../../../ui/crop/PictureCropper.tsx';
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
  const rect = area && cropRect(area, source, ratio);
  const tooSmall = rect !== null && !isLargeEnough(rect);
  const soft = rect !== null && isSmall(rect);
  const pixels = (value: number) => formatNumber(value, currentLanguage());
  const save = useMutation(changeMedia(media.id));

  return (
    <div className={layout.layout}>
      <div className={classes.stage}>
        {shown === 'ready' ? (
          <PictureCropper
            url={whole}
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
        <Text c={tooSmall ? 'var(--mantine-color-error)' : soft ? 'var(--mantine-color-text)' : 'dimmed'} role="status">
          {tooSmall
            ? t('crop.tooSmall')
            : rect && t(soft ? 'crop.small' : 'crop.size', { width: pixels(rect.width), height: pixels(rect.height) })}
        </Text>
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
