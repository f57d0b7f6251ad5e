import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './EmptyContent.module.css';

/** An empty wall with the way to the first picture. */
export function EmptyContent({ filtered, onConvert }: { filtered: boolean; onConvert: () => void }) {
  const { t } = useTranslation('content');
  if (filtered) return <Text>{t('empty.filtered')}</Text>;
  return (
    <Stack align="center" gap="md">
      <div className={classes.wall} aria-hidden>
        <span />
        <span />
        <span />
      </div>
      <Title order={2} size="h3">
        {t('empty.title')}
      </Title>
      <Text c="dimmed">{t('empty.text')}</Text>
      <Button size="lg" onClick={onConvert}>
        {t('convert')}
      </Button>
    </Stack>
  );
}
