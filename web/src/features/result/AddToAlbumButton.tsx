import { Button } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { useAddToAlbum } from '../../shared/use-add-to-album.ts';

/** Adds the media to an album. For members only. */
export function AddToAlbumButton({ id }: { id: string }) {
  const { t } = useTranslation('albums');
  const { kind } = useSession();
  const add = useAddToAlbum();
  if (kind !== 'member') return null;
  return (
    <Button
      variant="default"
      leftSection={<IconAlbum size="1.1em" aria-hidden />}
      loading={add.isPending}
      onClick={() => void add.run([id])}
    >
      {t('addTo')}
    </Button>
  );
}
