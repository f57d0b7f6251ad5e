import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './EntryPage.module.css';

/** Entry page for visitors: introduces the product and links to login and registration. */
export function EntryPage() {
  const { t } = useTranslation('landing');
  return (
    <Stack className={classes.page} gap="lg">
      <Title order={1}>{t('title')}</Title>
      <Text size="lg" c="dimmed">
        {t('entry')}
      </Text>
      <Button component={Link} to="/login" size="lg">
        {t('logIn')}
      </Button>
      <Button component={Link} to="/register" size="lg" variant="default">
        {t('register')}
      </Button>
    </Stack>
  );
}
