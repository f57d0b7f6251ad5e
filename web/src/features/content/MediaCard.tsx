import { MEDIA_STATUS, type Media } from '@framelift/contract';
import { ActionIcon, Checkbox, Menu, Text, VisuallyHidden } from '@mantine/core';
import IconDotsVertical from '@tabler/icons-react/icons/IconDotsVertical';
import IconPhotoX from '@tabler/icons-react/icons/IconPhotoX';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, type KeyboardEvent, type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { deviceTypesQuery } from '../../api/device-types.ts';
import { isProcessing, type MediaFilter, usePolledMedia } from '../../api/media.ts';
import { useSession } from '../../api/session.ts';
import { formatDate, formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { fromList } from '../../shared/media-list-state.ts';
import { ActionMenu } from '../../ui/ActionMenu.tsx';
import { showToast } from '../../ui/toasts.ts';
import classes from './MediaCard.module.css';
import { RenameField } from './RenameField.tsx';
import { useLongPress } from './use-long-press.ts';

export type CardAction = 'view' | 'addToAlbum' | 'useAsCover' | 'removeFromAlbum' | 'remove';

interface Props {
  readonly media: Media;
  /** The list that the card is in. */
  readonly list: MediaFilter;
  /** It can be looked at, and not changed. */
  readonly fixed: boolean;
  readonly selecting: boolean;
  readonly selected: boolean;
  /** Being removed from the list. */
  readonly leaving: boolean;
  /** `range` selects all from the one before to this one. */
  readonly onSelect: (id: string, range: boolean) => void;
  readonly onAction: (action: CardAction, media: Media) => void;
}

/**
 * Card of one media, with the progress of its conversion. Rendered again only when something of it changes, because a
 * wall may have thousands.
 */
export const MediaCard = memo(function MediaCard(props: Props) {
  const { media: listed, list, selecting, selected, leaving, onSelect } = props;
  const { t } = useTranslation('content');
  const language = currentLanguage();
  const media = usePolledMedia(listed);
  const devices = useQuery(deviceTypesQuery);
  const device = devices.data?.find(({ id }) => id === media.device_type_id)?.name;
  const { id, name } = media;
  // Guests have a single page and cannot delete: their uploads expire.
  const { kind } = useSession();
  const isGuest = kind === 'guest';
  const address = isGuest ? `/guestPage?media=${id}` : `/result/${id}`;
  const [renaming, setRenaming] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  useEndNotice(media, address);

  const press = useLongPress(isGuest ? null : () => onSelect(id, false));
  const onClick = (event: MouseEvent) => {
    if (!selecting || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onSelect(id, event.shiftKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== ' ' || isGuest) return;
    event.preventDefault();
    onSelect(id, event.shiftKey);
  };

  return (
    <li
      className={classes.card}
      data-leaving={leaving || undefined}
      data-selecting={selecting || undefined}
      data-selected={selected || undefined}
    >
      <div className={classes.front}>
        <Link
          ref={link}
          to={address}
          state={fromList(list)}
          className={classes.link}
          draggable={false}
          {...press}
          onClick={onClick}
          onKeyDown={onKeyDown}
        >
          <VisuallyHidden>{t('card.open', { name })}</VisuallyHidden>
          <span className={classes.picture}>
            {media.cover && <img src={media.cover} alt="" loading="lazy" decoding="async" draggable={false} />}
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
        {!isGuest && (
          // The label is the touch target of the small box.
          // biome-ignore lint/a11y/noLabelWithoutControl: the box is inside
          <label className={classes.check}>
            <Checkbox
              aria-label={t('card.select', { name })}
              checked={selected}
              onChange={({ nativeEvent }) => onSelect(id, (nativeEvent as unknown as MouseEvent).shiftKey)}
            />
          </label>
        )}
      </div>
      <div className={classes.text}>
        <div className={classes.lines}>
          {renaming ? (
            <RenameField
              media={media}
              onEnd={(hadFocus) => {
                setRenaming(false);
                if (hadFocus) link.current?.focus();
              }}
            />
          ) : (
            <Text fw={500} lineClamp={2} title={name}>
              {name}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {formatDate(media.date, language)}
          </Text>
          <Text size="sm" c="dimmed">
            {media.effect === 0 ? t('card.flat') : device}
          </Text>
          {media.sent_by && (
            <Text size="sm" c="dimmed" lineClamp={1}>
              {t('card.from', { name: media.sent_by })}
            </Text>
          )}
        </div>
        {!isGuest && !renaming && <CardMenu {...props} onRename={() => setRenaming(true)} />}
      </div>
    </li>
  );
});

function CardMenu({ media, list, fixed, onAction, onRename }: Props & { onRename: () => void }) {
  const { t } = useTranslation('content');
  const { name } = media;
  const inAlbum = list.album !== undefined;
  const item = (action: CardAction, label: string) => (
    <Menu.Item key={action} onClick={() => onAction(action, media)}>
      {label}
    </Menu.Item>
  );
  return (
    <ActionMenu width={220}>
      <Menu.Target>
        <ActionIcon aria-label={t('card.actions', { name })}>
          <IconDotsVertical size="1.25rem" stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {item('view', t('card.view'))}
        {!fixed && (
          <>
            <Menu.Item onClick={onRename}>{t('card.rename')}</Menu.Item>
            {item('addToAlbum', t('card.addToAlbum'))}
            {inAlbum && item('useAsCover', t('card.useAsCover'))}
            {inAlbum && item('removeFromAlbum', t('card.removeFromAlbum'))}
            {item('remove', t('card.remove'))}
          </>
        )}
      </Menu.Dropdown>
    </ActionMenu>
  );
}

/** Tells when the conversion of a media ends while its card is shown. */
function useEndNotice(media: Media, address: string): void {
  const { t } = useTranslation('content');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { name } = media;
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
}
