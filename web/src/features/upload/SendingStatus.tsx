import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import classes from './CropStep.module.css';
import type { Failure, Sending } from './upload-flow.ts';

interface SendingStatusProps {
  readonly sending: Sending;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  readonly onChooseAnother: () => void;
  readonly onDismiss: () => void;
}

/** Upload status: preparing, sending with the number of bytes sent, waiting for the line, checking; or the reason of a failure. */
export function SendingStatus({ sending, onCancel, onRetry, onChooseAnother, onDismiss }: SendingStatusProps) {
  const { t } = useTranslation('upload');
  if (sending.phase === 'failed') {
    const { failure } = sending;
    const next: Record<Failure['next'], { label: string; run: () => void }> = {
      retry: { label: t('sending.retry'), run: onRetry },
      choose: { label: t('sending.chooseAnother'), run: onChooseAnother },
      adjust: { label: t('sending.dismiss'), run: onDismiss },
      none: { label: t('sending.dismiss'), run: onDismiss },
    };
    const { label, run } = next[failure.next];
    return (
      <Stack gap="sm">
        <Alert color="red" title={failure.title ? failure.message : undefined} role="alert">
          {failure.title ?? failure.message}
        </Alert>
        <Group gap="sm" grow>
          {failure.next === 'retry' && (
            <Button variant="default" onClick={onDismiss}>
              {t('cancel')}
            </Button>
          )}
          <Button onClick={run}>{label}</Button>
        </Group>
      </Stack>
    );
  }

  const language = currentLanguage();
  // After the last byte was sent, the server is processing.
  const sent = sending.phase === 'sending' && sending.sent < sending.total ? sending : null;
  // Only sent bytes count as progress. Before and after, only text is shown, because the duration is unknown.
  const value = sent ? (sent.sent / sent.total) * 100 : 0;
  const waiting = sent?.waiting ?? false;
  const text = waiting
    ? t('sending.waiting')
    : sent
      ? t('sending.sending', { sent: formatBytes(sent.sent, language), total: formatBytes(sent.total, language) })
      : t(sending.phase === 'asking' ? 'sending.asking' : 'sending.checking');
  return (
    <Stack gap="sm">
      <Text role="status" aria-live={sent && !waiting ? 'off' : 'polite'}>
        {text}
      </Text>
      <div className={classes.bar}>
        <ProgressBar value={value} label={text} />
      </div>
      <Button variant="default" onClick={onCancel}>
        {t('sending.cancel')}
      </Button>
    </Stack>
  );
}
