import { Stack, Text, Title } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import { useTranslation } from 'react-i18next';
import type { FileKind } from './file-rules.ts';
import classes from './UploadDialog.module.css';

/** 'uploadSuccess': shown for two seconds before the dialog closes. */
export function SentNote({ kind }: { kind: FileKind | undefined }) {
  const { t } = useTranslation('upload');
  return (
    <Stack className={classes.centred} align="center" gap="sm" role="alert">
      <IconCircleCheck className={classes.sentIcon} aria-hidden />
      <Title order={2}>{t('success.title')}</Title>
      <Text c="dimmed">{t(kind === 'video' ? 'success.textVideo' : 'success.text')}</Text>
    </Stack>
  );
}
