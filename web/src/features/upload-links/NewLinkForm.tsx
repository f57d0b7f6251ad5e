import { LIMITS } from '@framelift/contract';
import { Button, NumberInput, Select, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { deviceTypesQuery } from '../../api/device-types.ts';
import { createUploadLink } from '../../api/upload-links.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { Form } from '../../ui/Form.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { showToast } from '../../ui/toasts.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './UploadLinks.module.css';

const DAYS = [1, 7, 30, 90] as const;

/** Makes a link: its name, the frame whose shape is suggested to the senders, its end, and how many pictures it takes. */
export function NewLinkForm() {
  const { t } = useTranslation('links');
  const nameOf = useDeviceName();
  const { data: devices = [] } = useQuery(deviceTypesQuery);
  const [name, setName] = useState('');
  const [deviceId, setDeviceId] = useState<string | null>(null);
  const [days, setDays] = useState('7');
  const [max, setMax] = useState<number | string>(50);
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useMutation(createUploadLink);
  const form = useFormFocus(isPending, problem);
  const device = deviceId ?? (devices[0] ? String(devices[0].id) : null);

  const create = () => {
    if (isPending || device === null) return;
    const wanted = name.trim();
    if (wanted === '') return setProblem(t('nameMissing'));
    const uploads = Math.min(LIMITS.uploadLinks.uploads, Math.max(1, Math.trunc(Number(max)) || 1));
    mutate(
      { name: wanted, device_type_id: Number(device), days: Number(days), max_uploads: uploads },
      {
        onSuccess: () => {
          setName('');
          showToast({ kind: 'success', text: t('created', { name: wanted }) });
        },
        onError: (error) => setProblem(isCallError(error) ? error.message : t('notCreated')),
      },
    );
  };

  return (
    <Form ref={form} className={classes.form} onSubmit={create} aria-labelledby="new-link">
      <Title order={2} size="h4" id="new-link" className={classes.wide ?? ''}>
        {t('newTitle')}
      </Title>
      <TextInput
        className={classes.wide ?? ''}
        label={t('name')}
        description={t('nameHint')}
        placeholder={t('nameExample')}
        name="link-name"
        autoComplete="off"
        size="md"
        {...NAME_FIELD}
        value={name}
        error={problem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <Select
        className={classes.wide ?? ''}
        label={t('frame')}
        size="md"
        searchable
        allowDeselect={false}
        data={devices.map((one) => ({ value: String(one.id), label: nameOf(one) }))}
        value={device}
        onChange={setDeviceId}
      />
      <Select
        label={t('days')}
        size="md"
        allowDeselect={false}
        data={DAYS.map((count) => ({ value: String(count), label: t('dayCount', { count }) }))}
        value={days}
        onChange={(value) => value && setDays(value)}
      />
      <NumberInput
        label={t('max')}
        size="md"
        min={1}
        max={LIMITS.uploadLinks.uploads}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={max}
        onChange={setMax}
      />
      <Button type="submit" size="md" className={classes.wide ?? ''} loading={isPending}>
        {t('create')}
      </Button>
    </Form>
  );
}
