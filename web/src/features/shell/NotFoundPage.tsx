import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './Page.module.css';

export function NotFoundPage() {
  const { t } = useTranslation('shell');
  return (
    <Stack className={classes.centre} align="center" gap="lg">
      <Title order={1}>{t('notFoundTitle')}</Title>
      <Text c="dimmed">{t('notFoundText')}</Text>
      <Button component={Link} to="/">
        {t('toStart')}
      </Button>
    </Stack>
  );
}
