import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './Page.module.css';

/** What is shown when a page broke, or its code could not be fetched. A full load gets both going again. */
export function ErrorPage() {
  const { t } = useTranslation('shell');
  return (
    <Stack className={classes.centre} align="center" gap="lg">
      <Title order={1}>{t('brokenTitle')}</Title>
      <Text c="dimmed">{t('brokenText')}</Text>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
      <Button component="a" href="/" variant="subtle">
        {t('toStart')}
      </Button>
    </Stack>
  );
}
