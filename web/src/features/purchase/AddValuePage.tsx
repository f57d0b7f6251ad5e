import type { Solution } from '@framelift/contract';
import { Skeleton, Text, Title } from '@mantine/core';
import IconCoins from '@tabler/icons-react/icons/IconCoins';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { pointSolutionsQuery } from '../../api/shop.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { BuyButton } from '../../shared/purchase/BuyButton.tsx';
import { PayingClosed } from '../../shared/purchase/PayingClosed.tsx';
import { usePaying } from '../../shared/purchase/paying.ts';
import { usePriceText } from '../../shared/purchase/price.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Purchase.module.css';

const ROOMS = ['a', 'b', 'c'];

/** /addValue: the packs of points on offer, what the member has, and the way to the history of both. */
export function AddValuePage() {
  const { t } = useTranslation(['payment', 'points', 'store']);
  const { data: config } = useQuery(configQuery);
  const session = useSession();
  const language = currentLanguage();
  const packs = useQuery(pointSolutionsQuery(language));
  const paying = usePaying();
  if (!('user' in session)) return null;
  const { points, freePoints } = session.user;
  const rooms = (
    <div className={classes.packs} aria-hidden>
      {ROOMS.map((room) => (
        <Skeleton key={room} className={classes.packRoom ?? ''} />
      ))}
    </div>
  );
  return (
    <div className={classes.packPage}>
      <DocumentTitle title={t('payment:packs.title')} />
      <header className={classes.told}>
        <Title order={1}>{t('payment:packs.title')}</Title>
        <Text c="dimmed">{t('payment:packs.lead')}</Text>
      </header>
      <section className={classes.balance} aria-label={t('payment:packs.have')}>
        <Text c="dimmed">{t('payment:packs.have')}</Text>
        <Text className={classes.sum ?? ''}>
          {t('points:amount.points', { count: points, number: formatNumber(points, language) })}
        </Text>
        <Text c="dimmed">
          {t('points:amount.freePoints', { count: freePoints, number: formatNumber(freePoints, language) })}
        </Text>
        <Link to="/menu/points" className={classes.history ?? ''}>
          {t('payment:packs.history')}
        </Link>
      </section>
      <QueryState query={packs} failed={t('payment:packs.failed')} className={classes.note ?? ''} loading={rooms}>
        {(offers) =>
          paying === 'loading' ? (
            rooms
          ) : offers.length === 0 ? (
            <Text className={classes.note ?? ''}>{t('payment:packs.none')}</Text>
          ) : (
            <>
              <PayingClosed />
              <ul className={classes.packs}>
                {offers.map((pack) => (
                  <Pack key={pack.id} pack={pack} />
                ))}
              </ul>
            </>
          )
        }
      </QueryState>
      {config?.sandbox && (
        <Text size="sm" c="dimmed">
          {t('store:testOnly')}
        </Text>
      )}
    </div>
  );
}

function Pack({ pack }: { pack: Solution }) {
  const { t } = useTranslation(['payment', 'points']);
  const priceText = usePriceText();
  const count = pack.points ?? 0;
  const points = t('points:amount.points', { count, number: formatNumber(count, currentLanguage()) });
  return (
    <li className={classes.pack}>
      <IconCoins size="2rem" stroke={1.5} aria-hidden />
      <div className={classes.about}>
        <Title order={2} size="h3">
          {points}
        </Title>
        {[pack.name === points ? null : pack.name, ...pack.content].map(
          (line) =>
            line && (
              <Text key={line} size="sm" c="dimmed">
                {line}
              </Text>
            ),
        )}
      </div>
      <Text className={classes.price ?? ''}>{priceText(pack)}</Text>
      <BuyButton solution={pack} name={points} aria-label={`${t('payment:buy')}: ${points}`}>
        {t('payment:buy')}
      </BuyButton>
    </li>
  );
}
