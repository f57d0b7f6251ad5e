import { MEDIA_STATUS, type Media } from '@framelift/contract';
import { ActionIcon, Checkbox, Menu, Text, VisuallyHidden } from '@mantine/core';
import IconDotsVertical from '@tabler/icons-react/icons/IconDotsVertical';
import IconPhotoX from '@tabler/icons-react/icons/IconPhotoX';
import { useQueryClient } from '@tanstack/react-query';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { isProcessing, type MediaFilter, usePolledMedia } from '../../api/media.ts';
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
  /** Name of the display that it is for. */
  readonly device: string | undefined;
  /** Guests have a single page and cannot delete: their uploads expire. */
  readonly isGuest: boolean;
  readonly isSelecting: () => boolean;
  readonly selected: boolean;
  /** Being removed from the list. */
  readonly leaving: boolean;
  /** `range` selects all from the one before to this one. */
  readonly onSelect: (id: string, range: boolean) => void;
  readonly onAction: (action: CardAction, media: Media) => void;
}

/**
 * Card of one media, with the progress of its conversion. Rendered again only when something of it changes, because a
 * wall may have thousands; when it is selected, only its box is.
 */
export const MediaCard = memo(function MediaCard({ media: listed, selected, leaving, ...props }: Props) {
  const { list, fixed, device, isGuest, isSelecting, onSelect, onAction } = props;
  const { t } = useTranslation('content');
  const media = usePolledMedia(listed);
  const { id, name } = media;
  const link = useRef<HTMLAnchorElement>(null);
  return (
    <li className={classes.card} data-leaving={leaving || undefined} data-selected={selected || undefined}>
      <div className={classes.front}>
        <CardLink {...{ media, list, isGuest, isSelecting, onSelect, link }} />
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
      <CardText {...{ media, list, fixed, device, isGuest, onAction, link }} />
    </li>
  );
});

interface LinkProps extends Pick<Props, 'media' | 'list' | 'isGuest' | 'isSelecting' | 'onSelect'> {
  readonly link: RefObject<HTMLAnchorElement | null>;
}

const CardLink = memo(function CardLink({ media, list, isGuest, isSelecting, onSelect, link }: LinkProps) {
  const { t } = useTranslation('content');
  const language = currentLanguage();
  const { id, name } = media;
  const address = isGuest ? `/guestPage?media=${id}` : `/result/${id}`;
  useEndNotice(media, address);

  const press = useLongPress(isGuest ? null : () => onSelect(id, false));
  const onClick = (event: MouseEvent) => {
    if (!isSelecting() || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onSelect(id, event.shiftKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== ' ' || isGuest) return;
    event.preventDefault();
    onSelect(id, event.shiftKey);
  };

  return (
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
  );
});

type TextProps = Pick<Props, 'media' | 'list' | 'fixed' | 'device' | 'isGuest' | 'onAction'> & Pick<LinkProps, 'link'>;

const CardText = memo(function CardText({ device, isGuest, link, ...props }: TextProps) {
  const { media } = props;
  const { t } = useTranslation('content');
  const { name } = media;
  const [renaming, setRenaming] = useState(false);
  return (
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
          {formatDate(media.date, currentLanguage())}
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
  );
});

interface MenuProps extends Pick<Props, 'media' | 'list' | 'fixed' | 'onAction'> {
  readonly onRename: () => void;
}

function CardMenu({ media, list, fixed, onAction, onRename }: MenuProps) {
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
