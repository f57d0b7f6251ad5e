import { MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import IconPhotoX from '@tabler/icons-react/icons/IconPhotoX';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { retryHelps, retryMedia, undoMediaChange } from '../../api/media.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { DeleteButton } from './DeleteButton.tsx';
import classes from './ResultView.module.css';

/** Shows why the conversion failed, in one sentence, and how to continue. */
export function FailedResult({ media, onGone }: { media: MediaDetail; onGone: () => void }) {
  const { t } = useTranslation('result');
  const { open } = useUploadDialog();
  const retry = useMutation(retryMedia);
  const back = useMutation(undoMediaChange);
  const again = retryHelps(media);
  const isVideo = media.media_type === MEDIA_TYPE.video;
  return (
    <Stack align="center" gap="lg" className={classes.note}>
      <IconPhotoX size="3rem" aria-hidden />
      <Title order={1}>{t(isVideo ? 'failure.titleVideo' : 'failure.title')}</Title>
      <Text role="alert">{media.failure?.message}</Text>
      <Group justify="center">
        {again && (
          <Button onClick={() => retry.mutate(media.id)} loading={retry.isPending}>
            {t('failure.retry')}
          </Button>
        )}
        {media.canUndo && (
          <Button variant="default" onClick={() => back.mutate(media.id)} loading={back.isPending}>
            {t('failure.before')}
          </Button>
        )}
        <Button variant={again ? 'default' : 'filled'} onClick={() => open({ deviceTypeId: media.device_type_id })}>
          {t(isVideo ? 'failure.anotherVideo' : 'failure.another')}
        </Button>
      </Group>
      <DeleteButton media={media} onGone={onGone} />
    </Stack>
  );
}
