import { MEDIA_STATUS, type Media } from '@framelift/contract';
import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import IconPhotoMinus from '@tabler/icons-react/icons/IconPhotoMinus';
import IconPhotoX from '@tabler/icons-react/icons/IconPhotoX';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { addToAlbum, removeFromAlbum } from '../../api/albums.ts';
import { deviceTypesQuery } from '../../api/device-types.ts';
import { isProcessing, usePolledMedia } from '../../api/media.ts';
import { useSession } from '../../api/session.ts';
import { formatDate, formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useDeleteMedia } from '../../shared/use-delete-media.ts';
import { showToast } from '../../ui/toasts.ts';
import classes from './MediaCard.module.css';

/** Card of one media, with the progress of its conversion. In an album it can be removed from the album. */
export function MediaCard({ media: listed, albumId }: { media: Media; albumId?: string | undefined }) {
  const { t } = useTranslation('content');
  const { t: common } = useTranslation();
  const language = currentLanguage();
  const media = usePolledMedia(listed);
  const devices = useQuery(deviceTypesQuery);
  const device = devices.data?.find(({ id }) => id === media.device_type_id)?.name;
  const { name } = media;
  // Guests have a single page and cannot delete: their uploads expire.
  const { kind } = useSession();
  const address = kind === 'guest' ? `/guestPage?media=${media.id}` : `/result/${media.id}`;

  const queries = useQueryClient();
  const navigate = useNavigate();
  const shownStatus = useRef(media.status);
  useEffect(() => {
    const ended = isProcessing({ status: shownStatus.current }) && !isProcessing(media);
    shownStatus.current = media.status;
    if (!ended) return;
    const finished = media.status === MEDIA_STATUS.finished;
    showToast({
      kind: finished ? 'success' : 'warning',
      text: t(finished ? 'ready' : 'notReady', { name }),
      action: { label: t('show'), run: () => void navigate(address) },
    });
    void queries.invalidateQueries({ queryKey: ['notifications'] });
  }, [media, name, address, t, navigate, queries]);

  const remove = useDeleteMedia(media.id, {
    deleted: t('deleted', { name }),
    restored: t('restored', { name }),
  });

  const putBack = useMutation(addToAlbum);
  const takeOut = useMutation(removeFromAlbum);
  const takeOutOf = (id: string) => {
    const content = { id, mediaIds: [media.id] };
    const done = () =>
      showToast({
        kind: 'info',
        text: t('takenOut', { name }),
        action: { label: common('undo'), run: () => putBack.mutate(content) },
      });
    takeOut.mutateAsync(content).then(done, () => {});
  };

  return (
    <li className={classes.card} data-leaving={remove.isPending || takeOut.isPending || undefined}>
      <Link to={address} className={classes.link}>
        <VisuallyHidden>{t('card.open', { name })}</VisuallyHidden>
        <span className={classes.picture}>
          {media.cover && <img src={media.cover} alt="" loading="lazy" decoding="async" />}
          {isProcessing(media) && (
            <span className={classes.processing} style={{ '--progress': media.progress / 100 } as CSSProperties}>
              <span className={classes.outline} aria-hidden />
              <span>{t('card.processing')}</span>
              <span>{formatPercent(media.progress / 100, language)}</span>
            </span>
          )}
          {media.status === MEDIA_STATUS.unable && (
            <span className={classes.failed}>
              <IconPhotoX aria-hidden />
              <span>{t('card.failed')}</span>
            </span>
          )}
        </span>
      </Link>
      <div className={classes.text}>
        <div className={classes.lines}>
          <Text fw={500} lineClamp={2} title={name}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {formatDate(media.date, language)}
          </Text>
          <Text size="sm" c="dimmed">
            {media.effect === 0 ? t('card.flat') : device}
          </Text>
        </div>
        {albumId !== undefined && (
          <ActionIcon
            aria-label={t('card.takeOut', { name })}
            loading={takeOut.isPending}
            onClick={() => takeOutOf(albumId)}
          >
            <IconPhotoMinus size="1.25rem" stroke={1.5} aria-hidden />
          </ActionIcon>
        )}
        {kind !== 'guest' && albumId === undefined && (
          <ActionIcon aria-label={t('card.delete', { name })} loading={remove.isPending} onClick={remove.run}>
            <IconTrash size="1.25rem" stroke={1.5} aria-hidden />
          </ActionIcon>
        )}
      </div>
    </li>
  );
}
