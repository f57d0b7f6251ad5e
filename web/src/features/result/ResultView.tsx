import { MEDIA_STATUS, type MediaDetail } from '@framelift/contract';
import { Button, Skeleton, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { cancelMedia, useLiveMedia } from '../../api/media.ts';
import { ConversionProgress } from '../../shared/depth-view/ConversionProgress.tsx';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { FailedResult } from './FailedResult.tsx';
import { FinishedResult } from './FinishedResult.tsx';
import classes from './ResultView.module.css';

interface ResultViewProps {
  readonly id: string;
  /** Called after the media was deleted. */
  readonly onGone: () => void;
}

/** One conversion in any state: processing, failed or finished. It follows state changes automatically. */
export function ResultView({ id, onGone }: ResultViewProps) {
  const { t } = useTranslation('result');
  const { open } = useUploadDialog();
  const { data: media, isError, error, refetch } = useLiveMedia(id);

  if (!media && !isError) {
    return (
      <div className={classes.layout} role="status" aria-label={t('loading')}>
        <Skeleton className={classes.skeleton} />
        <Stack gap="sm">
          <Skeleton height="3rem" />
          <Skeleton height="3rem" />
          <Skeleton height="9rem" />
        </Stack>
      </div>
    );
  }
  const gone = isCallError(error) && (error.status === 404 || error.status === 400);
  if (!media || gone) {
    return (
      <Stack align="center" className={classes.note} role="alert">
        <Title order={1} size="h3">
          {gone ? t('notFound') : t('unreachable')}
        </Title>
        {gone ? (
          <Button onClick={onGone}>{t('failure.back')}</Button>
        ) : (
          <Button onClick={() => void refetch()}>{t('failure.retry')}</Button>
        )}
      </Stack>
    );
  }
  switch (media.status) {
    case MEDIA_STATUS.processing:
      return media.uploaded ? (
        <RunningResult media={media} />
      ) : (
        <Stack align="center" className={classes.note}>
          <Title order={1} size="h3">
            {t('unfinished')}
          </Title>
          <Button onClick={() => open({ deviceTypeId: media.device_type_id })}>{t('failure.another')}</Button>
        </Stack>
      );
    case MEDIA_STATUS.finished:
      return <FinishedResult media={media} onGone={onGone} />;
    case MEDIA_STATUS.unable:
      return <FailedResult media={media} onGone={onGone} />;
    case MEDIA_STATUS.deleted:
      return (
        <Stack align="center" className={classes.note}>
          <Title order={1} size="h3">
            {t('notFound')}
          </Title>
          <Button onClick={onGone}>{t('failure.back')}</Button>
        </Stack>
      );
  }
}

/** A running conversion that can be cancelled. */
function RunningResult({ media }: { media: MediaDetail }) {
  const { t } = useTranslation('result');
  const cancel = useMutation(cancelMedia);
  return (
    <Stack gap="xl" align="center">
      <Title order={1} ta="center">
        {t(media.film ? 'progressTitleVideo' : 'progressTitle')}
      </Title>
      <ConversionProgress media={media} onCancel={() => cancel.mutate(media.id)} cancelling={cancel.isPending} />
    </Stack>
  );
}
