import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Form } from '../../ui/Form.tsx';
import { confirmationOf } from './confirmation-link.ts';

/** For mail programs with their own browser: the link can be copied and pasted here. */
export function LinkByHand() {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const [link, setLink] = useState('');
  const [wrong, setWrong] = useState(false);
  return (
    <Form
      onSubmit={() => {
        const query = confirmationOf(link);
        setWrong(query === null);
        if (query) navigate(`/confirmation?${query}`);
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={t('byHand')}
          description={t('byHandHint')}
          value={link}
          error={wrong && t('byHandWrong')}
          autoComplete="off"
          onChange={(event) => {
            setLink(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <Button type="submit" variant="default" disabled={link.trim() === ''}>
          {t('continue')}
        </Button>
      </Stack>
    </Form>
  );
}
