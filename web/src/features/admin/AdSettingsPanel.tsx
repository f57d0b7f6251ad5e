import { AD_PROVIDERS, type AdSettings } from '@framelift/contract';
import { Button, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setAdSettings } from '../../api/admin.ts';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { Form } from '../../ui/Form.tsx';
import classes from './Admin.module.css';
import { useUndoableAction } from './use-undoable-action.ts';
import { WHOLE } from './whole-number.ts';

/** Which ads are shown, what they give, and how many are allowed a day. */
export function AdSettingsPanel({ settings }: { settings: AdSettings }) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  const initial = {
    provider: settings.provider as string,
    unit: settings.adUnitPath ?? '',
    reward: settings.reward as number | string,
    // The wire counts as the specification does: a view is refused after more than the limit.
    perDay: (settings.limit + 1) as number | string,
  };
  const { form, input, wrong } = useContractForm('setAdSettings', initial, ({ provider, unit, reward, perDay }) => ({
    provider: AD_PROVIDERS.find((one) => one === provider) ?? 'off',
    adUnitPath: unit.trim() === '' ? null : unit.trim(),
    reward: Number(reward),
    limit: Number(perDay) - 1,
  }));
  const save = () => {
    if (!input) return;
    action.mutate({
      run: () => setAdSettings(input),
      done: t('points.ads.saved'),
      undo: () => setAdSettings(settings),
    });
  };
  const whole = { ...WHOLE, max: 1000 } as const;
  return (
    <Form onSubmit={save}>
      <Stack>
        <div className={classes.pair}>
          <NativeSelect
            size="md"
            label={t('points.ads.provider')}
            {...form.getInputProps('provider')}
            data={AD_PROVIDERS.map((value) => ({ value, label: t(`points.ads.providers.${value}`) }))}
          />
          {form.values.provider === 'gpt' && (
            <TextInput
              label={t('points.ads.unit')}
              description={t('points.ads.unitHint')}
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps('unit')}
              error={form.values.unit.trim() !== '' && wrong('adUnitPath') && t('points.ads.unitWrong')}
            />
          )}
        </div>
        <div className={classes.pair}>
          <NumberInput label={t('points.ads.reward')} {...whole} {...form.getInputProps('reward')} />
          <NumberInput label={t('points.ads.limit')} {...whole} {...form.getInputProps('perDay')} />
        </div>
        <Group>
          <Button type="submit" variant="default" disabled={!input} loading={action.isPending}>
            {t('points.save')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
