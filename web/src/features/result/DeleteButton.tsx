import { MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import { Button } from '@mantine/core';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { deleteMedia, restoreMedia } from '../../api/media.ts';
import { useSession } from '../../api/session.ts';
import { showError } from '../../ui/showError.ts';
import { showToast } from '../../ui/toasts.ts';

/** Deletes at once and offers to undo it. Guests cannot delete: their pictures go by themselves. */
export function DeleteButton({ media, onGone }: { media: MediaDetail; onGone: () => void }) {
  const { t } = useTranslation('result');
  const queries = useQueryClient();
  const session = useSession();
  const isFilm = media.media_type === MEDIA_TYPE.video;
  const remove = useMutation({
    mutationFn: () => deleteMedia(queries, media.id),
    onSuccess: () => {
      onGone();
      const undo = () =>
        restoreMedia(queries, media.id).then(
          () => showToast({ kind: 'success', text: t(isFilm ? 'restoredFilm' : 'restored') }),
          showError,
        );
      showToast({
        kind: 'info',
        text: t(isFilm ? 'deletedFilm' : 'deleted'),
        action: { label: t('undo'), run: () => void undo() },
      });
    },
  });
  if (session.kind !== 'member') return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconTrash size="1.1em" aria-hidden />}
      loading={remove.isPending}
      onClick={() => remove.mutate()}
    >
      {t('delete')}
    </Button>
  );
}
