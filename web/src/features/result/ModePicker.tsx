import type { DepthMode } from '@framelift/engine/webgl';
import { SegmentedControl } from '@mantine/core';
import IconArrowsLeftRight from '@tabler/icons-react/icons/IconArrowsLeftRight';
import IconColumns2 from '@tabler/icons-react/icons/IconColumns2';
import IconGridDots from '@tabler/icons-react/icons/IconGridDots';
import IconRotate3d from '@tabler/icons-react/icons/IconRotate3d';
import IconStereoGlasses from '@tabler/icons-react/icons/IconStereoGlasses';
import { useTranslation } from 'react-i18next';
import classes from './ModePicker.module.css';

export type ResultMode = DepthMode | 'compare';

const MODES = [
  ['parallax', IconRotate3d],
  ['compare', IconArrowsLeftRight],
  ['anaglyph', IconStereoGlasses],
  ['sideBySide', IconColumns2],
  ['quilt', IconGridDots],
] as const;

/** Selects how the result is shown. */
export function ModePicker({ value, onChange }: { value: ResultMode; onChange: (mode: ResultMode) => void }) {
  const { t } = useTranslation('result');
  return (
    <SegmentedControl
      fullWidth
      aria-label={t('modes.label')}
      classNames={{ root: classes.root ?? '', label: classes.label ?? '', indicator: classes.indicator ?? '' }}
      value={value}
      onChange={(mode) => onChange(mode as ResultMode)}
      data={MODES.map(([mode, Icon]) => ({
        value: mode,
        label: (
          <span className={classes.mode}>
            <Icon size="1.375rem" stroke={1.75} aria-hidden />
            {t(`modes.${mode}`)}
          </span>
        ),
      }))}
    />
  );
}
