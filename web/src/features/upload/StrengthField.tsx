import type { FileKind } from '@framelift/contract';
import { Group, Skeleton, Slider, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { percentOf } from '../../api/device-types.ts';
import { TryAgain } from '../../ui/QueryState.tsx';
import { DepthPreview, type PreviewSource } from './DepthPreview.tsx';
import type { DeviceTypeChoice } from './device-type-choice.ts';
import { StrengthExample } from './StrengthExample.tsx';
import classes from './StrengthField.module.css';

/** Effect strength: the values on offer, 0 % first, with an example that moves accordingly. */
export function StrengthField({
  frame,
  kind,
  preview,
  stopped = false,
  onChange,
}: {
  readonly frame: DeviceTypeChoice;
  readonly kind: FileKind;
  /** The picture of which a preview can be shown; null if there is none. */
  readonly preview?: PreviewSource | null;
  /** Whether a preview that is being made is given up. */
  readonly stopped?: boolean;
  readonly onChange: () => void;
}) {
  const { t } = useTranslation('upload');
  const { effects, offered, effect } = frame;

  if (effects.isPending) return <Skeleton height="14rem" />;
  if (effects.isError || !effect)
    return <TryAgain query={effects} text={t('strength.failed')} align="stretch" gap="xs" />;
  const percent = percentOf(effect);
  return (
    <Stack gap="xs" data-guide="strength">
      <Group justify="space-between" align="baseline">
        <Text fw={500}>{t('strength.label')}</Text>
        <Text fw={650}>{percent === 0 ? t('strength.none') : effect.effect}</Text>
      </Group>
      <Slider
        className={classes.slider}
        classNames={{
          bar: classes.bar ?? '',
          thumb: classes.thumb ?? '',
          mark: classes.mark ?? '',
          markLabel: classes.markLabel ?? '',
        }}
        size="lg"
        thumbSize={28}
        label={null}
        min={0}
        max={offered.length - 1}
        step={1}
        marks={offered.map((one, value) => ({ value, label: one.effect }))}
        value={offered.indexOf(effect)}
        thumbLabel={t('strength.label')}
        thumbValueText={percent === 0 ? `${effect.effect} ${t('strength.none')}` : effect.effect}
        disabled={offered.length < 2}
        onChange={(index) => {
          const chosen = offered[index];
          if (!chosen || chosen === effect) return;
          frame.chooseEffect(chosen);
          onChange();
        }}
      />
      {preview && percent > 0 ? (
        <DepthPreview source={preview} percent={percent} device={frame.device} stopped={stopped}>
          <StrengthExample percent={percent} device={frame.device} />
          <Text size="sm" c="dimmed">
            {t('strength.exampleOnly', { effect: effect.effect })}
          </Text>
        </DepthPreview>
      ) : (
        <>
          <StrengthExample percent={percent} device={frame.device} />
          <Text size="sm" c="dimmed">
            {percent === 0
              ? t(kind === 'video' ? 'strength.exampleVideoFlat' : 'strength.exampleFlat')
              : t(kind === 'video' ? 'strength.exampleVideo' : 'strength.example', { effect: effect.effect })}
          </Text>
        </>
      )}
    </Stack>
  );
}
