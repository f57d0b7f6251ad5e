import { Group, SegmentedControl, Slider, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from './DepthEditor.module.css';
import type { Brush } from './PaintSurface.tsx';

const KINDS = ['near', 'far', 'flatten'] as const;

/** Mode, width and strength of the brush. */
export function BrushFields({ brush, onChange }: { brush: Brush; onChange: (brush: Brush) => void }) {
  const { t } = useTranslation('edit');
  const percent = (value: number) => formatPercent(value, currentLanguage());
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t('depth.kind')}
        classNames={{ label: classes.kind ?? '' }}
        value={brush.kind}
        onChange={(kind) => onChange({ ...brush, kind: kind as Brush['kind'] })}
        data={KINDS.map((kind) => ({ value: kind, label: t(`depth.kinds.${kind}`) }))}
      />
      <BrushSlider
        label={t('depth.size')}
        value={brush.radius}
        min={0.01}
        max={0.4}
        text={percent(brush.radius)}
        onChange={(radius) => onChange({ ...brush, radius })}
      />
      <BrushSlider
        label={t('depth.amount')}
        value={brush.amount}
        min={0.05}
        max={1}
        text={percent(brush.amount)}
        onChange={(amount) => onChange({ ...brush, amount })}
      />
    </>
  );
}

interface BrushSliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly text: string;
  readonly onChange: (value: number) => void;
}

function BrushSlider({ label, text, ...slider }: BrushSliderProps) {
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={500}>{label}</Text>
        <Text fw={650} className="tabular">
          {text}
        </Text>
      </Group>
      <Slider
        className={classes.slider}
        thumbSize={28}
        label={null}
        step={0.01}
        thumbLabel={label}
        thumbValueText={text}
        {...slider}
      />
    </div>
  );
}
