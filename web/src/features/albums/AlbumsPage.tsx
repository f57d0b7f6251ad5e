import type { Album } from '@framelift/contract';
import { ActionIcon, Button, Stack, Text, Title } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { albumListQuery } from '../../api/albums.ts';
import { useAlbumActions } from '../../shared/use-album-actions.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { InfiniteGrid } from '../../ui/InfiniteGrid.tsx';
import classes from './Albums.module.css';

/** The member's albums. */
export function AlbumsPage() {
  const { t } = useTranslation('albums');
  const actions = useAlbumActions();
  const navigate = useNavigate();
  const create = async () => {
    const album = await actions.create();
    if (album) navigate(`/album/${album.id}`);
  };
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <div className={classes.head}>
        <Title order={1}>{t('title')}</Title>
        <Button leftSection={<IconPlus size="1.25rem" aria-hidden />} onClick={() => void create()}>
          {t('new')}
        </Button>
      </div>
      <InfiniteGrid
        query={useInfiniteQuery(albumListQuery)}
        shape="wide"
        failed={t('failed')}
        shown={(count) => t('shown', { count })}
        empty={
          <Stack align="center">
            <IconAlbum size="3rem" stroke={1.2} aria-hidden />
            <Title order={2} size="h3">
              {t('emptyTitle')}
            </Title>
            <Text c="dimmed">{t('emptyText')}</Text>
          </Stack>
        }
      >
        {(album) => <AlbumCard key={album.id} album={album} />}
      </InfiniteGrid>
    </div>
  );
}

function AlbumCard({ album }: { album: Album }) {
  const { t } = useTranslation('albums');
  const actions = useAlbumActions();
  const { id, name, quantity, cover, product } = album;
  return (
    <li className={classes.card}>
      <Link to={`/album/${id}`} className={classes.link}>
        <span className={classes.picture}>
          {cover ? <img src={cover} alt="" loading="lazy" decoding="async" /> : <IconAlbum aria-hidden />}
        </span>
        <Text component="span" fw={500} lineClamp={2} title={name}>
          {name}
        </Text>
        {product && (
          <Text component="span" size="sm" c="dimmed" lineClamp={1}>
            {t('ofStore', { store: product.store })}
          </Text>
        )}
      </Link>
      <div className={classes.foot}>
        <Text size="sm" c="dimmed" className={classes.quantity ?? ''}>
          {t('quantity', { count: quantity })}
        </Text>
        {!product && (
          <div className={classes.cardActions}>
            <ActionIcon aria-label={t('rename', { name })} onClick={() => void actions.rename(album)}>
              <IconPencil size="1.25rem" stroke={1.5} aria-hidden />
            </ActionIcon>
            <ActionIcon aria-label={t('delete', { name })} onClick={() => void actions.remove(album)}>
              <IconTrash size="1.25rem" stroke={1.5} aria-hidden />
            </ActionIcon>
          </div>
        )}
      </div>
    </li>
  );
}
