import type { User } from '@framelift/contract';
import { Button, Group, Tabs, Text, Title } from '@mantine/core';
import IconCoins from '@tabler/icons-react/icons/IconCoins';
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { adsQuery } from '../../api/points.ts';
import { useSession } from '../../api/session.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { AdOffer } from '../../shared/rewarded-ad/AdOffer.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { TryAgain } from '../../ui/QueryState.tsx';
import { PointEntries } from './PointEntries.tsx';
import classes from './Points.module.css';

const RewardedAd = lazyNamed(() => import('../../shared/rewarded-ad/RewardedAd.tsx'), 'RewardedAd');

const KINDS = ['all', 'points', 'freePoints'] as const;

/** The member's points, ways to get more, and their history by kind, which is stored in the URL. */
export function PointsPage() {
  const { t } = useTranslation('points');
  const session = useSession();
  const [query, setQuery] = useSearchParams();
  const kind = KINDS.find((one) => one === query.get('kind')) ?? 'all';
  if (!('user' in session)) return null;
  const choose = (chosen: string | null) =>
    setQuery(chosen === 'all' || !chosen ? {} : { kind: chosen }, { replace: true, preventScrollReset: true });
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <Title order={1}>{t('title')}</Title>
      <Balances user={session.user} />
      <section aria-labelledby="history">
        <Title order={2} size="h3" id="history">
          {t('history')}
        </Title>
        <Tabs value={kind} onChange={choose} keepMounted={false}>
          <Tabs.List aria-label={t('kind.label')}>
            {KINDS.map((one) => (
              <Tabs.Tab key={one} value={one} className={classes.tab ?? ''}>
                {one === 'all' ? t('kind.all') : t(one)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {KINDS.map((one) => (
            <Tabs.Panel key={one} value={one} className={classes.panel ?? ''}>
              <PointEntries kind={one === 'all' ? null : one} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </section>
    </div>
  );
}

function Balances({ user: { points, freePoints } }: { user: Pick<User, 'points' | 'freePoints'> }) {
  const { t } = useTranslation('points');
  const [watching, setWatching] = useState(false);
  const ads = useQuery(adsQuery);
  const language = currentLanguage();
  const isLost = ads.isError && ads.data === undefined;
  const offered = ads.data?.offered ?? !isLost;
  const canWatch = ads.data !== undefined && ads.data.left > 0 && ads.data.next_at === null;
  return (
    <section className={classes.card} aria-label={t('title')}>
      <dl className={classes.balances}>
        {(
          [
            ['points', points],
            ['freePoints', freePoints],
          ] as const
        ).map(([kind, amount]) => (
          <div key={kind}>
            <dt>{t(kind)}</dt>
            <dd className="tabular">{formatNumber(amount, language)}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" c="dimmed">
        {t('which')}
      </Text>
      <Group gap="sm">
        {offered && (
          <Button
            leftSection={<IconPlayerPlay size="1.1em" aria-hidden />}
            disabled={!canWatch}
            onClick={() => setWatching(true)}
          >
            {t('watch')}
          </Button>
        )}
        <Button component={Link} to="/addValue" variant="default" leftSection={<IconCoins size="1.1em" aria-hidden />}>
          {t('buy')}
        </Button>
      </Group>
      {isLost && <TryAgain query={ads} text={t('adsFailed')} align="flex-start" gap="xs" />}
      {offered && (
        <Text size="sm" c="dimmed" className={classes.offer ?? ''}>
          <AdOffer />
        </Text>
      )}
      <Suspense fallback={null}>
        {(watching || canWatch) && <RewardedAd opened={watching} onClose={() => setWatching(false)} leads />}
      </Suspense>
    </section>
  );
}
