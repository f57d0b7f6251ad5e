import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import classes from './ConfirmUploadPage.module.css';
import { UploadSuccess } from './UploadSuccess.tsx';

/** /menu/confirmUpload?media=… */
export function ConfirmUploadPage() {
  const { t } = useTranslation('upload');
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { open } = useUploadDialog();
  const id = query.get('media');
  return (
    <div className={classes.page}>
      {id ? (
        <UploadSuccess id={id} onFinished={() => void navigate(`/result/${id}`, { replace: true })} />
      ) : (
        <Stack align="center" gap="lg">
          <Text>{t('confirm_page.missing')}</Text>
          <Button onClick={() => open()}>{t('confirm_page.another')}</Button>
        </Stack>
      )}
    </div>
  );
}
