import { emailKey, LIMITS } from '@framelift/contract';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../api/config.ts';
import { changeEmail } from '../../api/profile.ts';
import { looksLikeEmail } from '../../ui/field-rules.ts';
import { Modal } from '../../ui/Modal.tsx';
import { PasswordConfirmForm } from './PasswordConfirmForm.tsx';

interface ChangeEmailProps {
  readonly onClose: () => void;
  readonly email: string;
}

/** Requests another e-mail address; it takes effect when the link mailed to it is used. */
export function ChangeEmailDialog({ opened, ...props }: ChangeEmailProps & { opened: boolean }) {
  const { t } = useTranslation('profile');
  const [to, setTo] = useState('');
  return (
    <Modal opened={opened} onClose={props.onClose} title={t('changeEmail')}>
      <ChangeEmail to={to} setTo={setTo} {...props} />
    </Modal>
  );
}

/** Content of the dialog; its state is reset by each opening, except for the typed address. */
function ChangeEmail({ to, setTo, onClose, email }: ChangeEmailProps & { to: string; setTo: (to: string) => void }) {
  const { t } = useTranslation('profile');
  const { t: auth } = useTranslation('auth');
  const { data: config } = useQuery(configQuery);
  const { mutateAsync, isPending, data } = useMutation(changeEmail);
  const [problem, setProblem] = useState<string>();

  const check = () => {
    const same = emailKey(to) === emailKey(email);
    const found = same ? t('emailDialog.same') : looksLikeEmail(to) ? undefined : auth('invalidEmail');
    setProblem(found);
    return found === undefined;
  };
  const send = async (password: string) => {
    await mutateAsync({ email: to.trim(), password });
    setTo('');
  };

  if (data) {
    return (
      <Stack>
        <Text role="status">{t('emailDialog.sent', { email: data.email, hours: LIMITS.emailLinkHours })}</Text>
        <Text c="dimmed" size="sm">
          {t('emailDialog.untilThen', { email })}
        </Text>
        {config?.sandbox && (
          <Button component="a" href="/sandbox/mailbox" target="_blank" variant="default">
            {auth('mailbox')}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {t('ok')}
        </Button>
      </Stack>
    );
  }
  return (
    <PasswordConfirmForm send={send} busy={isPending} label={t('emailDialog.send')} onCancel={onClose} check={check}>
      <Text>{t('emailDialog.text')}</Text>
      <TextInput
        label={t('emailDialog.new')}
        type="email"
        autoComplete="email"
        maxLength={LIMITS.emailLength}
        value={to}
        error={problem}
        disabled={isPending}
        data-autofocus
        onChange={(event) => {
          setTo(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
    </PasswordConfirmForm>
  );
}
