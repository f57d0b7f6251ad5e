import type { Share } from '@framelift/contract';
import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconShare3 from '@tabler/icons-react/icons/IconShare3';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { shareListQuery, shareOfQuery } from '../../api/shares.ts';
import { formatDate, formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useStopSharing } from '../../shared/share/use-stop-sharing.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './Shared.module.css';

const ShareDialog = lazyNamed(() => import('../../shared/share/ShareDialog.tsx'), 'ShareDialog');

const SKELETONS = ['a', 'b', 'c'];

/** The member's public links, expired ones included. */
export function SharesPage() {
  const { t } = useTranslation('share');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useInfiniteQuery(shareListQuery);
  return (
    <div className={classes.list}>
      <DocumentTitle title={t('list.title')} />
      <Title order={1} ref={heading} tabIndex={-1}>
        {t('list.title')}
      </Title>
      <InfiniteList<Share, HTMLUListElement>
        query={list}
        loading={
          <div className={classes.shares} aria-hidden>
            {SKELETONS.map((key) => (
              <Skeleton key={key} className={classes.waiting} />
            ))}
          </div>
        }
        failed={t('list.failed')}
        className={classes.note ?? ''}
        empty={<NoShares />}
        shown={(count) => t('list.shown', { count })}
        focus="a"
      >
        {(shares, place) => (
          <ul ref={place} className={classes.shares}>
            {shares.map((share) => (
              <ShareRow key={share.id} share={share} onStopped={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </InfiniteList>
    </div>
  );
}

function ShareRow({ share, onStopped }: { share: Share; onStopped: () => void }) {
  const { t } = useTranslation('share');
  const language = currentLanguage();
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const queries = useQueryClient();
  // Moves the focus, which would be lost with the buttons of the row.
  const stop = useStopSharing(onStopped);
  const { name, expires_at, expired, views } = share;
  const time = expires_at && formatDateTime(expires_at, language);
  const facts = [time ? t('list.ends', { time }) : t('list.forever'), ...(share.download ? [t('list.downloads')] : [])];
  return (
    <li className={classes.share}>
      <span className={classes.cover}>
        {share.cover ? <img src={share.cover} alt="" loading="lazy" decoding="async" /> : <IconPhoto aria-hidden />}
      </span>
      <div className={classes.about}>
        <Anchor component={Link} to={`/result/${share.media_id}`} fw={600} aria-label={t('list.result', { name })}>
          {name}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t('list.made', { date: formatDate(share.created_at, language) })}
        </Text>
        <Text size="sm" c="dimmed">
          {expired ? <span className={classes.ended}>{t('list.ended', { time })}</span> : facts.join(' · ')}
        </Text>
        <Text size="sm" c="dimmed">
          {views === 0 ? t('dialog.notOpened') : t('dialog.views', { count: views })}
        </Text>
      </div>
      <Group gap="xs">
        <Button
          variant="default"
          aria-label={t('list.changeOf', { name })}
          aria-haspopup="dialog"
          onClick={() => {
            // The dialog opens in its size, without asking first.
            queries.setQueryData(shareOfQuery(share.media_id).queryKey, share);
            setWanted(true);
            setOpened(true);
          }}
        >
          {t('list.change')}
        </Button>
        <Button
          variant="subtle"
          color="red"
          aria-label={t('list.stopOf', { name })}
          loading={stop.isPending}
          onClick={() => stop.run(share)}
        >
          {t('dialog.stop')}
        </Button>
      </Group>
      <Suspense fallback={null}>
        {wanted && (
          <ShareDialog
            media={{ id: share.media_id, name, media_type: share.media_type }}
            opened={opened}
            onClose={() => setOpened(false)}
          />
        )}
      </Suspense>
    </li>
  );
}

function NoShares() {
  const { t } = useTranslation('share');
  return (
    <Stack align="center" className={classes.note ?? ''}>
      <IconShare3 size="3rem" stroke={1.2} aria-hidden />
      <Title order={2} size="h3">
        {t('list.empty.title')}
      </Title>
      <Text c="dimmed">{t('list.empty.text')}</Text>
      <Button component={Link} to="/member/video">
        {t('list.empty.go')}
      </Button>
    </Stack>
  );
}
