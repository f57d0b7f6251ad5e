import { MEDIA_STATUS, type Media } from '@framelift/contract';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import IconRefresh from '@tabler/icons-react/icons/IconRefresh';
import IconRestore from '@tabler/icons-react/icons/IconRestore';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { fetchFile, saveBlob } from '../../api/download.ts';
import { mediaLinks, mediaQuery, restoreMedia, retryHelps, retryMedia } from '../../api/media.ts';
import { QUIET } from '../../api/query-client.ts';
import { showError } from '../../shared/show-error.ts';
import { useDeleteMedia } from '../../shared/use-delete-media.ts';
import { showToast } from '../../ui/toasts.ts';
import classes from './Orders.module.css';

/** One media of an order: its progress and actions. */
export function OrderMedia({ media, alone }: { media: Media; alone: boolean }) {
  const { t } = useTranslation('orders');
  const { id, name, status, progress } = media;
  const failed = status === MEDIA_STATUS.unable;
  // The failure reason, and whether a retry can help, are part of the single media only. The cached media may predate
  // the latest failure.
  const { data: detail } = useQuery({ ...mediaQuery(id), enabled: failed, staleTime: 0 });

  const retry = useMutation(retryMedia);
  const restore = useMutation(restoreMedia);
  const bringBack = () =>
    restore.mutateAsync(id).then(
      () => showToast({ kind: 'success', text: t('restored', { name }) }),
      () => {},
    );
  const remove = useDeleteMedia(id, {
    deleted: t('deleted', { name }),
    restored: t('restored', { name }),
  });
  const download = useMutation({
    mutationFn: async () => {
      for (const link of await mediaLinks(id, [])) {
        const file = await fetchFile(link.url);
        saveBlob(file.blob, file.name ?? name);
        showToast({ kind: 'success', text: t('saved', { name: file.name ?? name }) });
      }
    },
    // A connection that breaks during the download has no message of its own.
    onError: (error) => showError(isCallError(error) ? error : new Error(t('downloadFailed'))),
    meta: QUIET,
  });

  const title = !alone && <Text fw={500}>{name}</Text>;
  if (status === MEDIA_STATUS.deleted) {
    return (
      <Stack gap="xs">
        {title}
        <Text>{t('canRestore')}</Text>
        <Group>
          <Button
            variant="default"
            leftSection={<IconRestore size="1.25rem" aria-hidden />}
            loading={restore.isPending}
            onClick={() => void bringBack()}
          >
            {t('restore')}
          </Button>
        </Group>
      </Stack>
    );
  }
  const look = failed ? 'look' : status === MEDIA_STATUS.finished ? 'open' : 'follow';
  return (
    <Stack gap="sm">
      {title}
      {status === MEDIA_STATUS.processing && (
        <Progress.Root size="sm" radius="xl">
          <Progress.Section value={progress} aria-label={t('state.processing')} />
        </Progress.Root>
      )}
      {failed && <Text className={classes.why}>{detail?.failure?.message ?? t('state.failed')}</Text>}
      <Group gap="sm">
        {failed && detail && retryHelps(detail) && (
          <Button
            leftSection={<IconRefresh size="1.25rem" aria-hidden />}
            loading={retry.isPending}
            onClick={() => retry.mutate(id)}
          >
            {t('retry')}
          </Button>
        )}
        <Button component={Link} to={`/result/${id}`} variant={look === 'open' ? 'filled' : 'default'}>
          {t(look)}
        </Button>
        {status === MEDIA_STATUS.finished && (
          <Button
            variant="default"
            leftSection={<IconDownload size="1.25rem" aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {t('download')}
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconTrash size="1.25rem" aria-hidden />}
          loading={remove.isPending}
          onClick={remove.run}
        >
          {t('delete')}
        </Button>
      </Group>
    </Stack>
  );
}
