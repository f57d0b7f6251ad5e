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

/** Selects how the picture is shown. `modes` are the offered ones. */
export function ModePicker<M extends ResultMode = ResultMode>({
  value,
  onChange,
  modes,
}: {
  value: M;
  onChange: (mode: M) => void;
  modes?: readonly M[];
}) {
  const { t } = useTranslation('result');
  return (
    <SegmentedControl
      fullWidth
      aria-label={t('modes.label')}
      classNames={{ root: classes.root ?? '', label: classes.label ?? '', indicator: classes.indicator ?? '' }}
      value={value}
      onChange={(mode) => onChange(mode as M)}
      data={MODES.filter(([mode]) => modes?.some((one) => one === mode) ?? true).map(([mode, Icon]) => ({
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
