import type { SubscriptionInfo } from '@framelift/contract';
import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import IconCreditCard from '@tabler/icons-react/icons/IconCreditCard';
import IconHistory from '@tabler/icons-react/icons/IconHistory';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { endedSubscriptionsQuery } from '../../api/subscriptions.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import classes from './Subscriptions.module.css';

/** What the member had, once they ask for it, and the way to what they paid. */
export function Ended() {
  const { t } = useTranslation('subscription');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Group gap="xs">
        {!isOpen && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconHistory size="1.25rem" aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t('ended.show')}
          </Button>
        )}
        <Button
          component={Link}
          to="/menu/payments"
          variant="subtle"
          color="gray"
          leftSection={<IconCreditCard size="1.25rem" aria-hidden />}
        >
          {t('plan.payments')}
        </Button>
      </Group>
      {isOpen && <EndedList />}
    </>
  );
}

function EndedList() {
  const { t } = useTranslation('subscription');
  const query = useInfiniteQuery(endedSubscriptionsQuery(currentLanguage()));
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="ended" className={classes.section}>
      <Title order={2} size="h3" id="ended" ref={heading} tabIndex={-1}>
        {t('ended.title')}
      </Title>
      <InfiniteList<SubscriptionInfo, HTMLUListElement>
        query={query}
        loading={<Skeleton className={classes.rowRoom} aria-hidden />}
        failed={t('ended.failed')}
        align="flex-start"
        empty={<Text c="dimmed">{t('ended.none')}</Text>}
        shown={(count) => t('ended.shown', { count })}
        focus="a"
      >
        {(rows, place) => (
          <ul ref={place} className={classes.rows}>
            {rows.map((one) => (
              <EndedRow key={one.id} one={one} />
            ))}
          </ul>
        )}
      </InfiniteList>
    </section>
  );
}

function EndedRow({ one: { name, date, paid_until, kind, product_id } }: { one: SubscriptionInfo }) {
  const { t } = useTranslation('subscription');
  const from = formatDate(date, currentLanguage());
  // One that was replaced or given up ended before what was paid did.
  const until = paid_until !== null && Date.parse(paid_until) <= Date.now() ? paid_until : null;
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {until
            ? t('ended.between', { from, until: formatDate(until, currentLanguage()) })
            : t('ended.since', { date: from })}
        </Text>
      </div>
      <Button
        component={Link}
        to={kind === 'plan' ? '/subscribe' : `/store?product=${product_id}`}
        variant="default"
        aria-label={`${t('ended.again')}: ${name}`}
      >
        {t('ended.again')}
      </Button>
    </li>
  );
}
