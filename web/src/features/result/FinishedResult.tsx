import type { MediaDetail } from '@framelift/contract';
import { Button, Slider, Stack, Text, Title } from '@mantine/core';
import IconAdjustmentsHorizontal from '@tabler/icons-react/icons/IconAdjustmentsHorizontal';
import { type CSSProperties, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useUploadDialog } from '../../ui/uploadDialog.tsx';
import { CompareView } from './CompareView.tsx';
import { DeleteButton } from './DeleteButton.tsx';
import { Downloads } from './Downloads.tsx';
import { Facts } from './Facts.tsx';
import { ModePicker, type ResultMode } from './ModePicker.tsx';
import classes from './ResultView.module.css';

const DepthView = lazy(() => import('../../ui/depth/DepthView.tsx'));

/** Views that the sweep shows of a frame without a quilt. */
const USUAL_VIEWS = 48;

/** The finished picture: to look at in every way, to download, to convert again. */
export function FinishedResult({ media, onGone }: { media: MediaDetail; onGone: () => void }) {
  const { t } = useTranslation('result');
  const { open } = useUploadDialog();
  const [mode, setMode] = useState<ResultMode>('parallax');
  const [strength, setStrength] = useState(media.effect);
  const { preview, name, deviceType } = media;
  const size = media.crop ?? { width: 3, height: 4 };
  const shape = { '--aspect': size.width / size.height } as CSSProperties;
  const percent = (value: number) => formatPercent(value / 100, currentLanguage());
  const label = t('label', { name });

  return (
    <div className={classes.layout}>
      <div className={classes.preview} style={shape}>
        {preview ? (
          <>
            <Suspense fallback={<img className={classes.cover} src={preview.colour} alt="" />}>
              {mode === 'compare' ? (
                <CompareView parts={preview} size={size} strength={strength} label={label} />
              ) : (
                <DepthView
                  parts={preview}
                  size={size}
                  strength={strength}
                  mode={mode}
                  budget={deviceType.disparityBudget}
                  convergence={media.convergence ?? undefined}
                  label={label}
                  views={deviceType.quilt ? deviceType.quilt.columns * deviceType.quilt.rows : USUAL_VIEWS}
                />
              )}
            </Suspense>
            <ModePicker value={mode} onChange={setMode} />
            <p className={classes.hint}>{t(`hints.${mode}`)}</p>
          </>
        ) : (
          media.cover && <img className={classes.cover} src={media.cover} alt={name} />
        )}
      </div>

      <div className={classes.panel}>
        <Stack gap={4}>
          <Title order={1} size="h2">
            {preview ? t('title') : t('flatTitle')}
          </Title>
          <Text c="dimmed" className={classes.title}>
            {name}
          </Text>
        </Stack>
        {preview ? (
          <Stack gap="xs">
            <Text fw={500}>
              {t('strength.label')}: {percent(strength)}
            </Text>
            <Slider
              className={classes.slider}
              classNames={{ bar: classes.bar ?? '', thumb: classes.thumb ?? '' }}
              thumbSize={28}
              label={null}
              min={0}
              max={100}
              step={5}
              value={strength}
              onChange={setStrength}
              thumbLabel={t('strength.label')}
              thumbValueText={percent(strength)}
            />
            <Text size="sm" c="dimmed">
              {t('strength.note', { effect: percent(media.effect) })}
            </Text>
          </Stack>
        ) : (
          <Text>{t('flat')}</Text>
        )}
        <Downloads media={media} />
        <Facts media={media} />
        <Stack gap="xs" align="stretch">
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size="1.1em" aria-hidden />}
            onClick={() => open(media.device_type_id)}
          >
            {t('again')}
          </Button>
          <DeleteButton media={media} onGone={onGone} />
        </Stack>
      </div>
    </div>
  );
}
