import { Button, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import classes from './Pages.module.css';

/** URL of the upload dialog: the dialog opens with the page, and again by the button. */
export function UploadPage() {
  const { t } = useTranslation('pages');
  const { open } = useUploadDialog();
  const done = useRef(false);
  useEffect(() => {
    // Only once: strict mode runs effects twice, and a new session creates a new `open`.
    if (done.current) return;
    done.current = true;
    open();
  }, [open]);
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('upload.title')} />
      <Title order={1}>{t('upload.title')}</Title>
      <Text size="lg">{t('upload.text')}</Text>
      <Button onClick={() => open()}>{t('upload.open')}</Button>
    </div>
  );
}
