import { LIMITS } from '@framelift/contract';
import { Button, Checkbox, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { confirmAge, liveAccessQuery } from '../../api/live.ts';
import { formatDateTime, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showError } from '../../shared/show-error.ts';
import { Form } from '../../ui/Form.tsx';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import { dayOf } from './month.ts';
import classes from './WatchPage.module.css';

/** Asks once for the year of birth. Whoever was too young learns when they may answer again. */
export function AgeForm({ onConfirmed }: { onConfirmed: () => void }) {
  const { t } = useTranslation(['live', 'errors']);
  const language = currentLanguage();
  const { data: access } = useQuery(liveAccessQuery);
  const { mutate, isPending } = useMutation(confirmAge);
  const [year, setYear] = useState('');
  const [hadBirthday, setHadBirthday] = useState(false);
  const [problem, setProblem] = useState<string>();
  const form = useFormFocus(isPending, problem);
  const thisYear = Number(dayOf(Date.now()).slice(0, 4));
  // Only those who come of age this year are asked for more than the year.
  const isBorder = Number(year) === thisYear - LIMITS.minimumAge;

  if (access?.age === 'refused') {
    return (
      <div className={classes.panel} role="alert">
        <Text fw={600}>{t('errors:underAge')}</Text>
        {access.age_retry_at && (
          <Text c="dimmed">{t('age.retry', { time: formatDateTime(access.age_retry_at, language) })}</Text>
        )}
      </div>
    );
  }
  const submit = () => {
    if (isPending) return;
    const value = /^\d{4}$/.test(year) ? Number(year) : 0;
    if (value < LIMITS.live.earliestBirthYear || value > thisYear) return setProblem(t('age.yearMissing'));
    mutate(
      { birth_year: value, had_birthday: isBorder && hadBirthday },
      {
        onSuccess: onConfirmed,
        onError: (error) => {
          // Too young: the answer to the next question tells until when.
          if (isCallError(error) && error.status !== 0 && error.status !== 401) setProblem(error.message);
          else showError(error);
        },
      },
    );
  };
  return (
    <Form ref={form} onSubmit={submit} className={classes.panel}>
      <Title order={2} size="h3">
        {t('age.title')}
      </Title>
      <Text c="dimmed">{t('age.text', { age: formatNumber(LIMITS.minimumAge, language) })}</Text>
      <TextInput
        label={t('age.year')}
        className={classes.year ?? ''}
        inputMode="numeric"
        autoComplete="bday-year"
        maxLength={4}
        value={year}
        error={problem}
        disabled={isPending}
        onChange={(event) => {
          setYear(event.currentTarget.value.replace(/\D/g, ''));
          setProblem(undefined);
        }}
      />
      {isBorder && (
        <Checkbox
          label={t('age.hadBirthday')}
          checked={hadBirthday}
          disabled={isPending}
          onChange={(event) => setHadBirthday(event.currentTarget.checked)}
        />
      )}
      <Button type="submit" loading={isPending}>
        {t('age.confirm')}
      </Button>
    </Form>
  );
}
