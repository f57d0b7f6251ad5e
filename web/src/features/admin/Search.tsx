import { Button, TextInput } from '@mantine/core';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../ui/Form.tsx';
import classes from './Admin.module.css';

/** Search field of a list; give it `value` as its key, so that it follows the URL. */
export function Search({
  label,
  value,
  onSearch,
}: {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}) {
  const { t } = useTranslation('admin');
  const [text, setText] = useState(value);
  return (
    <Form className={classes.filters} role="search" onSubmit={() => onSearch(text.trim())}>
      <TextInput
        className={classes.grow ?? ''}
        type="search"
        label={label}
        maxLength={254}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" leftSection={<IconSearch size="1.1em" aria-hidden />}>
        {t('users.find')}
      </Button>
    </Form>
  );
}
