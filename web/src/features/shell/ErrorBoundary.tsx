import { Button, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Page.module.css';

/** Keeps a broken page from taking the whole app along. The next page starts afresh, as its key differs. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <ErrorPage /> : this.props.children;
  }
}

/** What is shown when a page broke, or its code could not be fetched. A full load gets both going again. */
function ErrorPage() {
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
