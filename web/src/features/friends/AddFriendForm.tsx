import type { Friend } from '@framelift/contract';
import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { addFriend, friendQuery } from '../../api/friends.ts';
import { Form } from '../../ui/Form.tsx';
import { looksLikeEmail } from '../../ui/field-rules.ts';
import { showToast } from '../../ui/toasts.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './Friends.module.css';

/** Asks somebody by their address, which a link may name (parameter `email`). A failure keeps what was typed. */
export function AddFriendForm() {
  const { t } = useTranslation('friends');
  const [query, setQuery] = useSearchParams();
  const named = query.get('email')?.trim() ?? '';
  const [email, setEmail] = useState(named);
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useMutation(addFriend);
  const { data: known } = useQuery({ ...friendQuery(named), enabled: looksLikeEmail(named) });
  const state = known && stateOf(known);
  const form = useFormFocus(isPending, problem);

  const asked = (friend: Friend) => {
    const text = friend.isConfirm ? 'accepted' : 'asked';
    showToast({ kind: 'success', text: t(text, { name: friend.target_user.name || friend.target_user.email }) });
    setEmail('');
    if (named) setQuery({}, { replace: true, preventScrollReset: true });
  };
  const ask = () => {
    if (isPending) return;
    if (!looksLikeEmail(email)) return setProblem(t('invalid'));
    mutate(email.trim(), {
      onSuccess: asked,
      onError: (error) => setProblem(isCallError(error) ? error.message : t('notSent')),
    });
  };

  return (
    <Form ref={form} className={classes.form} onSubmit={ask}>
      <TextInput
        className={classes.field ?? ''}
        type="email"
        name="email"
        autoComplete="off"
        label={t('email')}
        description={t('hint')}
        size="md"
        value={email}
        error={problem}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" size="md" loading={isPending}>
        {t('add')}
      </Button>
      {state && email.trim() === named && (
        <Text role="status" className={classes.known ?? ''}>
          {t(`known.${state}`, { name: known.target_user.name || named })}
        </Text>
      )}
    </Form>
  );
}

function stateOf({ isConfirm, isReceived, isSend }: Friend) {
  if (isConfirm) return 'confirmed';
  if (isReceived) return 'received';
  return isSend ? 'sent' : null;
}
