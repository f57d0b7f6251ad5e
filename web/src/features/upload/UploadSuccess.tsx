import { MEDIA_STATUS, MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { cancelMedia, retryHelps, retryMedia, useLiveMedia } from '../../api/media.ts';
import { useSession } from '../../api/session.ts';
import { ConversionProgress } from '../../shared/depth-view/ConversionProgress.tsx';
import { ShowOnFrameButton } from '../../shared/show-on-frame/ShowOnFrameButton.tsx';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { TryAgain } from '../../ui/QueryState.tsx';
import { Spinner } from '../../ui/Spinner.tsx';

interface UploadSuccessProps {
  readonly id: string;
  /** Opens the result; called as soon as it is finished. */
  readonly onFinished: () => void;
}

/** Page after an upload: the progress of the conversion and the next steps. The result opens by itself. */
export function UploadSuccess({ id, onFinished }: UploadSuccessProps) {
  const { t } = useTranslation('upload');
  const { kind } = useSession();
  const { open } = useUploadDialog();
  const navigate = useNavigate();
  const query = useLiveMedia(id);
  const { data: media, isError } = query;
  const finished = media?.status === MEDIA_STATUS.finished;
  const failed = media?.status === MEDIA_STATUS.unable;
  const isVideo = media?.media_type === MEDIA_TYPE.video;
  const opened = useRef(onFinished);
  opened.current = onFinished;
  useEffect(() => {
    if (finished) opened.current();
  }, [finished]);

  return (
    <Stack gap="xl" align="center">
      <Title order={1} ta="center">
        {t(`confirm_page.${failed ? 'titleFailed' : isVideo ? 'titleVideo' : 'title'}`)}
      </Title>
      {media ? <Progress media={media} /> : isError ? <TryAgain query={query} /> : <Spinner />}
      {media && !finished && !failed && (
        <Text c="dimmed" ta="center">
          {kind === 'guest' ? t('confirm_page.leaveGuest') : t('confirm_page.leave')}
        </Text>
      )}
      {/* Rendered only when the content above exists: otherwise it would be pushed down. */}
      {(media || isError) && (
        <Group justify="center" gap="sm">
          {media && !failed && <ShowOnFrameButton mediaIds={[id]} variant="light" whenReady />}
          <Button variant={failed && !retryHelps(media) ? 'filled' : 'default'} onClick={() => open()}>
            {t('confirm_page.another')}
          </Button>
          {kind !== 'guest' && (
            <Button variant="default" onClick={() => void navigate('/menu/order')}>
              {t('confirm_page.orders')}
            </Button>
          )}
          <Button variant="subtle" color="gray" onClick={() => void navigate('/')}>
            {t('confirm_page.index')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Progress({ media }: { media: MediaDetail }) {
  const { t } = useTranslation('upload');
  const cancel = useMutation(cancelMedia);
  const retry = useMutation(retryMedia);

  if (media.status === MEDIA_STATUS.unable) {
    return (
      <Stack align="center">
        <Text role="alert" ta="center">
          {media.failure?.message}
        </Text>
        {retryHelps(media) && (
          <Button onClick={() => retry.mutate(media.id)} loading={retry.isPending}>
            {t('sending.retry')}
          </Button>
        )}
      </Stack>
    );
  }
  return <ConversionProgress media={media} onCancel={() => cancel.mutate(media.id)} cancelling={cancel.isPending} />;
}
