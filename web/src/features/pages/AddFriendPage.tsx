import { Button, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { findMember } from '../../api/profile.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { Form } from '../../ui/Form.tsx';
import { looksLikeEmail } from '../../ui/field-rules.ts';
import { InDevelopment, WhatWorks } from './ComingPage.tsx';
import classes from './Pages.module.css';

/** Finds a member by the address named in a link (parameter `email`) or typed in. Friends are not implemented yet. */
export function AddFriendPage() {
  const { t } = useTranslation('pages');
  const [query, setQuery] = useSearchParams();
  const [email, setEmail] = useState(query.get('email') ?? '');
  const [wrong, setWrong] = useState(false);
  const { mutate, data, isPending, isError, isSuccess } = useMutation(findMember);

  const search = () => {
    const valid = looksLikeEmail(email);
    setWrong(!valid);
    if (!valid) return;
    setQuery({ email: email.trim() }, { replace: true, preventScrollReset: true });
    mutate(email.trim());
  };

  return (
    <div className={classes.page}>
      <DocumentTitle title={t('friend.title')} />
      <Title order={1}>{t('friend.title')}</Title>
      <InDevelopment />
      <Text size="lg">{t('friend.text')}</Text>
      <Form className={classes.form} onSubmit={search}>
        <TextInput
          className={classes.field ?? ''}
          type="email"
          name="email"
          autoComplete="off"
          label={t('friend.email')}
          size="md"
          value={email}
          error={wrong && t('friend.invalid')}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <Button type="submit" className={classes.search ?? ''} loading={isPending}>
          {t('friend.search')}
        </Button>
      </Form>
      <div role="status">
        {isSuccess && <Text>{data ? t('friend.found', { name: data.name }) : t('friend.nobody')}</Text>}
        {isError && <Text>{t('friend.failed')}</Text>}
      </div>
      <WhatWorks />
    </div>
  );
}
