import { LIMITS } from '@framelift/contract';
import { ActionIcon, Button, Group, SegmentedControl, Slider, Stack, Text } from '@mantine/core';
import IconFlipHorizontal from '@tabler/icons-react/icons/IconFlipHorizontal';
import IconMaximize from '@tabler/icons-react/icons/IconMaximize';
import IconRotateClockwise from '@tabler/icons-react/icons/IconRotateClockwise';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './CropTools.module.css';
import type { Border, Edit } from './picture-edit.ts';

const WHITE: Border = '#ffffff';
const BLACK: Border = '#000000';

interface CropToolsProps {
  readonly edit: Edit;
  readonly onChange: (edit: Edit) => void;
  /** The angle while it is chosen, before `onChange`. */
  readonly onTilting: (degrees: number | null) => void;
}

/** Rotate, flip, straighten, and show the whole photo. */
export function CropTools({ edit, onChange, onTilting }: CropToolsProps) {
  const { t } = useTranslation('upload');
  const label = useId();
  const [tilting, setTilting] = useState<number | null>(null);
  const tilt = tilting ?? edit.tilt;
  const degrees = t('tools.degrees', { value: formatNumber(tilt, currentLanguage()) });
  const rotate = () => onChange({ ...edit, turn: ((edit.turn + 90) % 360) as Edit['turn'] });
  return (
    <Stack gap="sm">
      <Text fw={500} id={label}>
        {t('tools.label')}
      </Text>
      <Group gap="xs" role="group" aria-labelledby={label}>
        <ActionIcon variant="default" aria-label={t('tools.rotate')} title={t('tools.rotate')} onClick={rotate}>
          <IconRotateClockwise size="1.25rem" aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t('tools.mirror')}
          title={t('tools.mirror')}
          aria-pressed={edit.mirror}
          onClick={() => onChange(mirrored(edit))}
        >
          <IconFlipHorizontal size="1.25rem" aria-hidden />
        </ActionIcon>
        <Button
          variant={edit.border ? 'light' : 'default'}
          leftSection={<IconMaximize size="1.25rem" aria-hidden />}
          aria-pressed={edit.border !== null}
          onClick={() => onChange({ ...edit, border: edit.border ? null : 'blur' })}
        >
          {t('tools.whole')}
        </Button>
      </Group>
      {edit.border && (
        <Stack gap="xs">
          <SegmentedControl
            aria-label={t('tools.border')}
            value={edit.border}
            onChange={(value) => onChange({ ...edit, border: value as Border })}
            data={[
              { value: 'blur', label: t('tools.blurred') },
              { value: WHITE, label: t('ground.white') },
              { value: BLACK, label: t('ground.black') },
            ]}
          />
          <Text size="sm" c="dimmed">
            {t('tools.wholeHint')}
          </Text>
        </Stack>
      )}
      <div>
        <Group justify="space-between" align="baseline">
          <Text size="sm">{t('tools.straighten')}</Text>
          <Text size="sm" fw={650}>
            {degrees}
          </Text>
        </Group>
        <Slider
          className={classes.slider}
          size="sm"
          color="gray"
          label={null}
          thumbLabel={t('tools.straighten')}
          thumbValueText={degrees}
          min={-LIMITS.crop.maxTilt}
          max={LIMITS.crop.maxTilt}
          step={0.5}
          classNames={{ bar: classes.bar ?? '' }}
          marks={[{ value: 0 }]}
          value={tilt}
          onChange={(value) => {
            setTilting(value);
            onTilting(value);
          }}
          onChangeEnd={(value) => {
            setTilting(null);
            onTilting(null);
            onChange({ ...edit, tilt: value });
          }}
        />
      </div>
    </Stack>
  );
}

/** Mirrors the picture as it is seen, left and right. The edit mirrors first, so turn and tilt go the other way. */
function mirrored(edit: Edit): Edit {
  const turn = ((360 - edit.turn) % 360) as Edit['turn'];
  return { ...edit, mirror: !edit.mirror, turn, tilt: edit.tilt === 0 ? 0 : -edit.tilt };
}
