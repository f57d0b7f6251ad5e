import { LIMITS } from '@framelift/contract';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetPassword } from '../../api/accounts.ts';
import { prepareProof } from '../../api/captcha.ts';
import { isCallError } from '../../api/client.ts';
import { keepRedirect } from '../../api/redirect.ts';
import { showError } from '../../shared/show-error.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { looksLikeEmail } from '../../ui/field-rules.ts';
import { Modal } from '../../ui/Modal.tsx';
import { LocalMailbox } from './LocalMailbox.tsx';
import { usePause } from './use-pause.ts';

const PAUSE_SECONDS = 60 / LIMITS.resend.perMinute;

/**
 * Asks for an address and sends the link to it. The result is the same for every address, so that it does not reveal
 * who is a member.
 */
export function ForgotDialog({
  opened,
  email,
  onClose,
}: {
  opened: boolean;
  /** Address already entered in the login form. */
  email: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('password');
  const { t: auth } = useTranslation('auth');
  const { mutate, isPending } = useMutation(forgetPassword);
  const [typed, setTyped] = useState(email);
  const [wrong, setWrong] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [wait, pause] = usePause();
  const address = typed.trim();
  const [refusal, refuse] = useRefusal(address);

  const send = () => {
    setWrong(!looksLikeEmail(address));
    if (!looksLikeEmail(address) || isPending || wait > 0) return;
    mutate(address, {
      onSuccess: () => {
        keepRedirect();
        setSentTo(address);
        refuse(null);
        pause(PAUSE_SECONDS);
      },
      onError: (error) => {
        showError(error);
        refuse(error);
        if (isCallError(error) && error.retryAfter !== undefined) pause(error.retryAfter);
      },
    });
  };
  const sendButton = (
    <Button type="submit" data-captcha="forget" loading={isPending} disabled={wait > 0} className="tabular">
      {wait > 0 ? t('againIn', { seconds: wait }) : t(sentTo === null ? 'send' : 'again')}
    </Button>
  );

  return (
    <Modal opened={opened} onClose={onClose} title={t('forgotTitle')}>
      <Form onSubmit={send} onFocus={prepareProof}>
        {sentTo === null ? (
          <Stack>
            <Text>{t('forgotText')}</Text>
            <FormProblem text={refusal?.message} />
            <TextInput
              data-autofocus
              label={auth('email')}
              name="email"
              type="email"
              autoComplete="username"
              maxLength={LIMITS.emailLength}
              value={typed}
              error={wrong && auth('invalidEmail')}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setWrong(false);
              }}
            />
            {sendButton}
          </Stack>
        ) : (
          <Stack>
            <FormProblem text={refusal?.message} />
            <Text role="status">{t('sent', { email: sentTo, hours: LIMITS.emailLinkHours })}</Text>
            <Text c="dimmed">{auth('notArrived')}</Text>
            <LocalMailbox />
            {sendButton}
            <Button
              variant="default"
              onClick={() => {
                setSentTo(null);
                pause(0);
              }}
            >
              {t('otherAddress')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('done')}
            </Button>
          </Stack>
        )}
      </Form>
    </Modal>
  );
}
