import { DEVICE_FORMATS, type DeviceTypeInput, LIMITS } from '@framelift/contract';
import { Button, Checkbox, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import classes from './Admin.module.css';

type Field = number | string;
const pairOf = (text: string): [Field, Field] => {
  const [first = '', second = ''] = text.split(',');
  return [Number(first), Number(second)];
};

/** Edits a device type. What the rules of the contract refuse is said beside the field. */
export function DeviceTypeForm({
  device,
  saving,
  refused,
  onSave,
}: {
  /** Null adds one. */
  readonly device: DeviceTypeInput | null;
  readonly saving: boolean;
  readonly refused: Error | null;
  readonly onSave: (input: DeviceTypeInput) => void;
}) {
  const { t } = useTranslation(['admin', 'formats']);
  const [width, height] = pairOf(device?.ratio ?? '3,4');
  const [panelHeight, panelWidth] = pairOf(device?.extendResolution ?? '2048,1536');
  const grid = device?.quilt ?? { columns: 8, rows: 6, width: 3360, height: 3360 };
  const initial = {
    name: device?.name ?? '',
    note: device?.note ?? '',
    active: device?.is_actived ?? true,
    format: device?.format ?? 'flat',
    budget: (device?.disparityBudget ?? 6) as Field,
    width,
    height,
    panelWidth,
    panelHeight,
    columns: grid.columns as Field,
    rows: grid.rows as Field,
    quiltWidth: grid.width as Field,
    quiltHeight: grid.height as Field,
  };
  const { form, input, wrong } = useContractForm('setDeviceType', initial, (values) => ({
    id: device?.id ?? null,
    name: values.name,
    note: values.note,
    is_actived: values.active,
    format: values.format,
    disparityBudget: Number(values.budget),
    ratio: `${values.width},${values.height}`,
    extendResolution: `${values.panelHeight},${values.panelWidth}`,
    quilt:
      values.format === 'quilt'
        ? {
            columns: Number(values.columns),
            rows: Number(values.rows),
            width: Number(values.quiltWidth),
            height: Number(values.quiltHeight),
          }
        : null,
  }));
  const { values } = form;
  const isQuilt = values.format === 'quilt';
  const whole = { size: 'md', min: 1, allowDecimal: false, hideControls: true, inputMode: 'numeric' } as const;
  const [spareX, spareY] = [
    Number(values.quiltWidth) % Number(values.columns),
    Number(values.quiltHeight) % Number(values.rows),
  ];

  return (
    <Form onSubmit={() => input && onSave(input)}>
      <Stack>
        <FormProblem text={isCallError(refused) ? refused.message : undefined} />
        <TextInput
          label={t('devices.name')}
          description={t('devices.nameHint')}
          maxLength={LIMITS.deviceTypeName}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput label={t('devices.note')} {...NAME_FIELD} {...form.getInputProps('note')} />
        <div className={classes.fields}>
          <NumberInput label={t('devices.ratioWidth')} {...whole} {...form.getInputProps('width')} />
          <NumberInput label={t('devices.ratioHeight')} {...whole} {...form.getInputProps('height')} />
          <NumberInput label={t('devices.panelWidth')} {...whole} {...form.getInputProps('panelWidth')} />
          <NumberInput
            label={t('devices.panelHeight')}
            {...whole}
            {...form.getInputProps('panelHeight')}
            error={wrong('extendResolution') && t('devices.mismatch')}
          />
        </div>
        <NativeSelect
          size="md"
          label={t('devices.format')}
          {...form.getInputProps('format')}
          data={DEVICE_FORMATS.map((value) => ({ value, label: t(`formats:formats.${value}.name`) }))}
        />
        {isQuilt && (
          <>
            <div className={classes.fields}>
              <NumberInput label={t('devices.columns')} {...whole} {...form.getInputProps('columns')} />
              <NumberInput label={t('devices.rows')} {...whole} {...form.getInputProps('rows')} />
              <NumberInput label={t('devices.quiltWidth')} {...whole} {...form.getInputProps('quiltWidth')} />
              <NumberInput label={t('devices.quiltHeight')} {...whole} {...form.getInputProps('quiltHeight')} />
            </div>
            <Text size="sm" c={wrong('quilt') ? 'var(--mantine-color-error)' : 'dimmed'} role="status">
              {wrong('quilt')
                ? t('devices.quiltWrong', LIMITS.quilt)
                : spareX + spareY > 0
                  ? t('devices.spare', { x: spareX, y: spareY })
                  : t('devices.views', { count: Number(values.columns) * Number(values.rows) })}
            </Text>
          </>
        )}
        <NumberInput
          label={t('devices.budget')}
          description={t('devices.budgetHint')}
          size="md"
          min={0.1}
          max={100}
          decimalScale={2}
          hideControls
          inputMode="decimal"
          {...form.getInputProps('budget')}
        />
        <Checkbox
          label={t('devices.isActive')}
          description={t('devices.isActiveHint')}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <Button type="submit" disabled={!input} loading={saving}>
          {t('devices.save')}
        </Button>
      </Stack>
    </Form>
  );
}
