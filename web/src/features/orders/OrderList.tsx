import { LIMITS, type Order } from '@framelift/contract';
import { Accordion, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type OrderCategory, type OrderDates, orderListQuery } from '../../api/orders.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';

import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { OrderCard } from './OrderCard.tsx';
import classes from './Orders.module.css';

const SKELETONS = ['a', 'b', 'c', 'd'];

interface Props {
  readonly category: OrderCategory;
  readonly dates: OrderDates;
  /** Widens the filter. */
  readonly onWiden: () => void;
}

/** The member's orders of one category and period, newest first. */
export function OrderList({ category, dates, onWiden }: Props) {
  const { t } = useTranslation('orders');
  const list = useInfiniteQuery(orderListQuery(category, dates));
  const days = dates === 'any' ? 0 : LIMITS.orderDateDays[dates];
  return (
    <InfiniteList<Order, HTMLDivElement>
      query={list}
      loading={
        <Stack gap="md" aria-hidden>
          <Skeleton className={classes.countSkeleton} />
          {SKELETONS.map((key) => (
            <Skeleton key={key} className={classes.skeleton} />
          ))}
        </Stack>
      }
      failed={t('failed')}
      className={classes.note ?? ''}
      empty={<NoOrders category={category} dates={dates} onWiden={onWiden} />}
      focus="button"
    >
      {(orders, place) => (
        <>
          <Text c="dimmed" role="status">
            {t(days === 0 ? 'count.any' : days === 1 ? 'count.today' : 'count.days', {
              count: list.data?.pages[0]?.total ?? orders.length,
              days,
            })}
          </Text>
          <Accordion ref={place} multiple order={2} variant="separated" keepMounted={false} data-guide="orders">
            {orders.map((order) => (
              <OrderCard key={order.id} order={order} />
            ))}
          </Accordion>
        </>
      )}
    </InfiniteList>
  );
}

/** Placeholder for an empty list, with alternatives. */
function NoOrders({ category, dates, onWiden }: Props) {
  const { t } = useTranslation('orders');
  const { open } = useUploadDialog();
  const kind = dates !== 'any' ? 'dates' : category === 'purchase_details' ? 'purchases' : 'all';
  return (
    <Stack align="center" className={classes.note} data-guide="orders">
      <IconReceipt size="3rem" stroke={1.2} aria-hidden />
      <Title order={2} size="h3">
        {t(`empty.${kind}.title`)}
      </Title>
      <Text c="dimmed">{t(`empty.${kind}.text`)}</Text>
      <Group justify="center" gap="sm">
        <Button variant={kind === 'all' ? 'filled' : 'default'} onClick={kind === 'all' ? () => open() : onWiden}>
          {t(`empty.${kind}.go`)}
        </Button>
      </Group>
    </Stack>
  );
}
