import { ActionIcon, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/icons/IconArrowLeft';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import IconPhotoPlus from '@tabler/icons-react/icons/IconPhotoPlus';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { albumQuery } from '../../api/albums.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import classes from './Albums.module.css';
import { useAlbumActs } from './use-album-acts.ts';

const AddPictures = lazy(() => import('./AddPictures.tsx'));

/** One album. `pictures` shows what lies in it, or what is given where that is nothing. */
export default function AlbumPage({ pictures }: { pictures: (albumId: string, empty: ReactNode) => ReactNode }) {
  const { t } = useTranslation('albums');
  const { id = '' } = useParams();
  const { data: album, isPending, isError, refetch } = useQuery(albumQuery(id));
  const acts = useAlbumActs();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);

  const back = (
    <Button
      component={Link}
      to="/album"
      variant="subtle"
      color="gray"
      leftSection={<IconArrowLeft size="1.25rem" aria-hidden />}
      className={classes.back}
    >
      {t('title')}
    </Button>
  );
  if (isPending) {
    return (
      <div className={classes.page} aria-busy>
        <Skeleton className={classes.line} />
      </div>
    );
  }
  if (isError) {
    return (
      <div className={classes.page}>
        {back}
        <Stack align="center" className={classes.note} role="alert">
          <Text>{t('gone')}</Text>
          <Button variant="default" onClick={() => void refetch()}>
            {t('retry')}
          </Button>
        </Stack>
      </div>
    );
  }
  const remove = async () => {
    if (await acts.remove(album)) navigate('/album', { replace: true });
  };
  const add = (
    <Button leftSection={<IconPhotoPlus size="1.25rem" aria-hidden />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <div className={classes.page}>
      <DocumentTitle title={album.name} />
      {back}
      <div className={classes.head}>
        <div className={classes.name}>
          <Title order={1} size="h2">
            {album.name}
          </Title>
          <Text c="dimmed">{t('quantity', { count: album.quantity })}</Text>
        </div>
        <Group gap="xs">
          <ActionIcon aria-label={t('rename', { name: album.name })} onClick={() => void acts.rename(album)}>
            <IconPencil size="1.25rem" stroke={1.5} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={t('delete', { name: album.name })} onClick={() => void remove()}>
            <IconTrash size="1.25rem" stroke={1.5} aria-hidden />
          </ActionIcon>
          {album.quantity > 0 && add}
        </Group>
      </div>
      {pictures(
        id,
        <Stack align="center" className={classes.note}>
          <Title order={2} size="h3">
            {t('insideTitle')}
          </Title>
          <Text c="dimmed">{t('insideText')}</Text>
          {add}
        </Stack>,
      )}
      <Suspense fallback={null}>{adding && <AddPictures albumId={id} onClose={() => setAdding(false)} />}</Suspense>
    </div>
  );
}
