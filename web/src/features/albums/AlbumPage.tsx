import type { Album } from '@framelift/contract';
import { ActionIcon, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import IconPhotoPlus from '@tabler/icons-react/icons/IconPhotoPlus';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { albumQuery } from '../../api/albums.ts';
import { isCallError } from '../../api/client.ts';
import { ShowOnFrameButton } from '../../shared/show-on-frame/ShowOnFrameButton.tsx';
import { useAlbumActions } from '../../shared/use-album-actions.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { TryAgain } from '../../ui/QueryState.tsx';
import classes from './Albums.module.css';

const AddPictures = lazyNamed(() => import('./AddPictures.tsx'), 'AddPictures');

interface Props {
  /** Renders the content, or the given placeholder if it is empty. What is `fixed` can be looked at, and not changed. */
  readonly pictures: (albumId: string, empty: ReactNode, fixed: boolean) => ReactNode;
}

/** Page of one album. That of a product cannot be changed. */
export function AlbumPage({ pictures }: Props) {
  const { t } = useTranslation('albums');
  const { id = '' } = useParams();
  const query = useQuery(albumQuery(id));
  const { data: album, error } = query;
  const product = album?.product;
  const actions = useAlbumActions();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);

  const back = <BackLink to="/album">{t('title')}</BackLink>;
  if (error && !album) {
    const gone = isCallError(error) && (error.status === 404 || error.status === 400);
    return (
      <div className={classes.page}>
        {back}
        {gone ? (
          <Text className={classes.note ?? ''} role="alert">
            {t('gone')}
          </Text>
        ) : (
          <TryAgain query={query} text={t('albumFailed')} className={classes.note ?? ''} />
        )}
      </div>
    );
  }
  const remove = async (known: Album) => {
    if (await actions.remove(known)) navigate('/album', { replace: true });
  };
  const add = (
    <Button leftSection={<IconPhotoPlus size="1.25rem" aria-hidden />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <div className={classes.page}>
      {back}
      {album ? (
        <div className={classes.head}>
          <DocumentTitle title={album.name} />
          <div className={classes.name}>
            <Title order={1}>{album.name}</Title>
            <Text c="dimmed">
              {product && `${t('ofStore', { store: product.store })} · `}
              {t('quantity', { count: album.quantity })}
            </Text>
          </div>
          <Group gap="xs" className={classes.actions ?? ''}>
            {album.quantity > 0 && <ShowOnFrameButton albumIds={[album.id]} iconOnly />}
            {product ? (
              <Button component={Link} to={`/store?product=${product.id}`} variant="default">
                {t('inStore')}
              </Button>
            ) : (
              <>
                {album.quantity > 0 && add}
                <ActionIcon aria-label={t('rename', { name: album.name })} onClick={() => void actions.rename(album)}>
                  <IconPencil size="1.25rem" stroke={1.5} aria-hidden />
                </ActionIcon>
                <ActionIcon aria-label={t('delete', { name: album.name })} onClick={() => void remove(album)}>
                  <IconTrash size="1.25rem" stroke={1.5} aria-hidden />
                </ActionIcon>
              </>
            )}
          </Group>
        </div>
      ) : (
        <div className={classes.head} aria-hidden>
          <div className={classes.name}>
            <Skeleton className={classes.heading} />
          </div>
          <div className={classes.actionsRoom} />
        </div>
      )}
      {pictures(
        id,
        <Stack align="center">
          <Title order={2} size="h3">
            {t('insideTitle')}
          </Title>
          {!product && (
            <>
              <Text c="dimmed">{t('insideText')}</Text>
              {add}
            </>
          )}
        </Stack>,
        product !== undefined,
      )}
      <Suspense fallback={null}>{adding && <AddPictures albumId={id} onClose={() => setAdding(false)} />}</Suspense>
    </div>
  );
}
