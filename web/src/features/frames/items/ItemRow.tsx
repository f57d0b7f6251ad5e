import type { FrameItem, OwnFrame } from '@framelift/contract';
import { Loader, Text } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatMoment } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { SortableRow } from '../../../ui/SortableRow.tsx';
import classes from './FrameItems.module.css';
import { ItemMenu } from './ItemMenu.tsx';

interface Props {
  readonly frame: OwnFrame;
  readonly item: FrameItem;
  /** Its place, from 0, among `total`. */
  readonly index: number;
  readonly total: number;
  readonly onMove: (index: number) => void;
  readonly onGone: () => void;
}

/** One item of a frame: its handle, picture, state and actions. */
export function ItemRow({ frame, item, index, total, onMove, onGone }: Props) {
  const { t } = useTranslation('frames');
  const { id, name, kind, cover, sender, quantity } = item;
  const address = sender !== null ? null : kind === 'album' ? `/album/${item.album_id}` : `/result/${item.media_id}`;
  const shown = (
    <>
      {cover && <img src={cover} alt="" loading="lazy" decoding="async" draggable={false} />}
      {!cover && (kind === 'album' ? <IconAlbum aria-hidden /> : <IconPhoto aria-hidden />)}
    </>
  );
  return (
    <SortableRow id={id} name={name} className={classes.item}>
      <span className={classes.cover}>{shown}</span>
      <div className={classes.about}>
        <Text fw={500} lineClamp={2} title={name}>
          {address === null ? (
            name
          ) : (
            <Link to={address} className={classes.link} draggable={false}>
              {name}
            </Link>
          )}
        </Text>
        {kind === 'album' && (
          <Text size="sm" c="dimmed">
            {t('items.album', { count: quantity ?? 0 })}
          </Text>
        )}
        {sender !== null && (
          <Text size="sm" c="dimmed">
            {t('items.from', { name: sender })}
          </Text>
        )}
        <State item={item} />
      </div>
      <ItemMenu frame={frame} item={item} index={index} total={total} onMove={onMove} onGone={onGone} />
    </SortableRow>
  );
}

function State({ item: { state, failure, shown_at } }: { item: FrameItem }) {
  const { t } = useTranslation('frames');
  if (state === 'waiting') {
    return (
      <span className={classes.state}>
        <Loader size="0.875rem" color="var(--accent-text)" aria-hidden />
        {t('items.waiting')}
      </span>
    );
  }
  if (state === 'failed') {
    return (
      <span className={classes.state} data-failed>
        <IconAlertTriangle size="1rem" aria-hidden />
        {failure?.message ?? t('items.notMade')}
      </span>
    );
  }
  return (
    <span className={classes.state}>
      {shown_at === null
        ? t('items.notShown')
        : t('items.shown', { time: formatMoment(shown_at, new Date(), currentLanguage()) })}
    </span>
  );
}
