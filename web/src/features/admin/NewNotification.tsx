import { AUDIENCES, BROADCAST_KINDS, byLanguage, LANGUAGES } from '@framelift/contract';
import { Button, Fieldset, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendNotification } from '../../api/admin.ts';
import { NotificationIcon } from '../../shared/notifications/NotificationIcon.tsx';
import shared from '../../shared/notifications/Notifications.module.css';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { randomUuid } from '../../ui/random-uuid.ts';
import { showToast } from '../../ui/toasts.ts';
import classes from './Admin.module.css';
import { fromLocalInput, toLocalInput } from './local-time.ts';

const EMPTY = byLanguage(() => '');

/** Form of a new notification: to whom, from when, and its texts in each language. */
export function NewNotification({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation('admin');
  const { mutate, isPending } = useMutation(sendNotification);
  // One for all tries: a repeated call sends once.
  const [id] = useState(randomUuid);
  const initial = {
    audience: 'all' as (typeof AUDIENCES)[number],
    email: '',
    kind: 'info' as (typeof BROADCAST_KINDS)[number],
    title: EMPTY,
    content: EMPTY,
    link: '',
    release: toLocalInput(new Date()),
  };
  const { form, input, wrong } = useContractForm('sendNotification', initial, (values) => ({
    id,
    audience: values.audience,
    ...(values.audience === 'one' && { email: values.email }),
    kind: values.kind,
    title: values.title,
    content: values.content,
    link: values.link === '' ? null : values.link,
    release_at: fromLocalInput(values.release) ?? '',
  }));
  const [refusal, refuse] = useRefusal(form.values);
  const send = () => {
    if (!input) return;
    const done = ({ sent: count }: { sent: number }) => {
      showToast({ kind: 'success', text: t('notices.sent', { count }) });
      onSent();
    };
    mutate(input, { onSuccess: done, onError: refuse });
  };

  return (
    <Form onSubmit={send}>
      <Stack>
        <FormProblem text={refusal?.message} />
        <NativeSelect
          size="md"
          label={t('notices.to')}
          data={AUDIENCES.map((value) => ({ value, label: t(`notices.audiences.${value}`) }))}
          {...form.getInputProps('audience')}
        />
        {form.values.audience === 'one' && (
          <TextInput
            type="email"
            label={t('notices.email')}
            autoComplete="off"
            required
            {...form.getInputProps('email')}
          />
        )}
        <NativeSelect
          size="md"
          label={t('notices.kind')}
          data={BROADCAST_KINDS.map((value) => ({ value, label: t(`notices.kinds.${value}`) }))}
          {...form.getInputProps('kind')}
        />
        <Text c="dimmed">{t('notices.fallback')}</Text>
        {LANGUAGES.map(({ code, name, htmlLang }) => (
          <Fieldset key={code} legend={<strong lang={htmlLang}>{name}</strong>} variant="unstyled">
            <Stack gap="xs">
              <TextInput
                label={t('notices.heading')}
                lang={htmlLang}
                required={code === 'en'}
                {...form.getInputProps(`title.${code}`)}
              />
              <Textarea
                size="md"
                label={t('notices.content')}
                lang={htmlLang}
                rows={2}
                {...form.getInputProps(`content.${code}`)}
              />
            </Stack>
          </Fieldset>
        ))}
        <section className={classes.preview} aria-label={t('announcement.preview')}>
          <Text size="sm" c="dimmed">
            {t('announcement.preview')}
          </Text>
          {LANGUAGES.map(({ code, htmlLang }) => {
            const { title, content } = form.values;
            return (
              <div key={code} lang={htmlLang} className={shared.item}>
                <NotificationIcon kind={form.values.kind} />
                <span className={shared.words}>
                  <span className={shared.title}>{title[code].trim() || title.en || '…'}</span>
                  <span>{content[code].trim() || content.en}</span>
                </span>
              </div>
            );
          })}
        </section>
        <TextInput
          label={t('notices.link')}
          description={t('notices.linkHint')}
          autoComplete="off"
          {...form.getInputProps('link')}
          error={form.values.link !== '' && wrong('link') && t('notices.linkWrong')}
        />
        <TextInput type="datetime-local" label={t('notices.release')} {...form.getInputProps('release')} />
        <Button type="submit" disabled={!input} loading={isPending}>
          {t('notices.send')}
        </Button>
      </Stack>
    </Form>
  );
}
