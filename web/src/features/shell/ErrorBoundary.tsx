import { Button, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Page.module.css';

interface Props {
  readonly children: ReactNode;
  /** Shown instead of the children after an error; by default a page that offers to reload. */
  readonly fallback?: ReactNode;
}

/** Confines an error to its page. The next page has another key and starts without the error. */
export class ErrorBoundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    const { children, fallback = <ErrorPage /> } = this.props;
    return this.state.broken ? fallback : children;
  }
}

/** Shown when a page failed or its code could not be loaded. A full reload fixes both. */
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
