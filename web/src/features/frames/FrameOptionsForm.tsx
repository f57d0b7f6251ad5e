import type { FrameOptions, OwnFrame } from '@framelift/contract';
import { Button, SegmentedControl, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setFrameOptions } from '../../api/frames.ts';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { CalibrationField } from './CalibrationField.tsx';
import classes from './FramePage.module.css';
import { IntervalField } from './IntervalField.tsx';
import { DisplayField, ModeField } from './ModeField.tsx';
import type { OptionProps } from './option-props.ts';
import { PercentSlider } from './PercentSlider.tsx';
import { SleepFields } from './SleepFields.tsx';

const TRANSITIONS = ['fade', 'slide', 'none'] as const;
const FITS = ['fit', 'fill'] as const;

/** How a frame plays. Every change is saved at once; a failed one is taken back and can be tried again. */
export function FrameOptionsForm({ frame }: { frame: OwnFrame }) {
  const { t } = useTranslation('frames');
  const { t: common } = useTranslation();
  const save = useMutation(setFrameOptions(frame.id));
  const [wantsNative, setWantsNative] = useState(false);
  const { options, hasCalibration } = frame;
  const change = (changes: Partial<FrameOptions>) => {
    const { mode } = changes;
    if (mode !== undefined) setWantsNative(mode === 'native' && !hasCalibration);
    // Without its calibration a light field would show noise: it is asked for first.
    if (mode !== 'native' || hasCalibration) save.mutate(changes);
  };
  const fields = { options, onChange: change };
  const mode = wantsNative ? 'native' : options.mode;
  const percent = (value: number) => formatPercent(value, currentLanguage());

  return (
    <div className={classes.options}>
      <div className={classes.saved} role="status">
        {save.isError ? (
          <>
            <Text size="sm" c="var(--mantine-color-error)">
              {t('options.notSaved', { reason: save.error.message })}
            </Text>
            <Button variant="default" size="compact-md" onClick={() => save.mutate(save.variables)}>
              {common('retry')}
            </Button>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {save.isPending ? t('options.saving') : save.isSuccess ? t('options.saved') : t('options.atOnce')}
          </Text>
        )}
      </div>

      <section className={classes.group}>
        <h2 className={classes.groupTitle}>{t('options.depth')}</h2>
        <DisplayField frame={frame} />
        <ModeField mode={mode} onChange={(next) => change({ mode: next })} />
        {mode === 'native' && (
          <CalibrationField
            frame={frame}
            onStored={() => {
              setWantsNative(false);
              save.mutate({ mode: 'native' });
            }}
          />
        )}
        {mode !== 'flat' && (
          <PercentSlider
            label={t('options.strength')}
            hint={t('options.strengthHint')}
            value={options.strength}
            min={0}
            max={2}
            step={0.1}
            textOf={percent}
            onChange={(strength) => change({ strength })}
          />
        )}
      </section>

      <section className={classes.group}>
        <h2 className={classes.groupTitle}>{t('options.show')}</h2>
        <IntervalField {...fields} />
        <Choice
          label={t('options.transition.label')}
          data={TRANSITIONS.map((value) => ({ value, label: t(`options.transition.${value}`) }))}
          value={options.transition}
          onChange={(transition) => change({ transition })}
        />
        <Choice
          label={t('options.fit.label')}
          data={FITS.map((value) => ({ value, label: t(`options.fit.${value}`) }))}
          value={options.fit}
          onChange={(fit) => change({ fit })}
        />
        <Toggle name="shuffle" {...fields} />
      </section>

      <section className={classes.group}>
        <h2 className={classes.groupTitle}>{t('options.screen')}</h2>
        <PercentSlider
          label={t('options.brightness')}
          value={options.brightness}
          min={0.1}
          max={1}
          step={0.05}
          textOf={percent}
          onChange={(brightness) => change({ brightness })}
        />
        <Toggle name="clock" {...fields} />
        <Toggle name="sound" {...fields} />
        <SleepFields {...fields} />
      </section>
    </div>
  );
}

type NameOf<T> = { [N in keyof FrameOptions]: FrameOptions[N] extends T ? N : never }[keyof FrameOptions];

function Toggle({ name, options, onChange }: OptionProps & { name: NameOf<boolean> }) {
  const { t } = useTranslation('frames');
  return (
    <Switch
      size="md"
      labelPosition="left"
      classNames={{ body: classes.switch ?? '', labelWrapper: classes.switchLabel ?? '' }}
      label={t(`options.${name}`)}
      description={t(`options.${name}Hint`)}
      checked={options[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
    />
  );
}

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly data: readonly { readonly value: V; readonly label: string }[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}

/** One of a few values, all of them in sight. */
function Choice<V extends string>({ label, data, value, onChange }: ChoiceProps<V>) {
  const id = useId();
  return (
    <div>
      <Text fw={500} id={id} mb={4}>
        {label}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby={id}
        className={classes.segments ?? ''}
        data={[...data]}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}
