import { MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import { Button } from '@mantine/core';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useDeleteMedia } from '../../shared/use-delete-media.ts';

/** Deletes the media immediately and offers to undo it. Guests cannot delete: their uploads expire. */
export function DeleteButton({ media, onGone }: { media: MediaDetail; onGone: () => void }) {
  const { t } = useTranslation('result');
  const session = useSession();
  const isVideo = media.media_type === MEDIA_TYPE.video;
  const texts = {
    deleted: t(isVideo ? 'deletedVideo' : 'deleted'),
    restored: t(isVideo ? 'restoredVideo' : 'restored'),
  };
  const remove = useDeleteMedia(media.id, texts, onGone);
  if (session.kind !== 'member') return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconTrash size="1.1em" aria-hidden />}
      loading={remove.isPending}
      onClick={remove.run}
    >
      {t('delete')}
    </Button>
  );
}
