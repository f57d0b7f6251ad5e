import { currencyCode, formatMoney, MEDIA_STATUS, ORDER_TYPE, type Order } from '@framelift/contract';
import { Accordion, Skeleton, Stack, Text } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconExclamationCircle from '@tabler/icons-react/icons/IconExclamationCircle';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconProgress from '@tabler/icons-react/icons/IconProgress';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePolledOrder } from '../../api/orders.ts';
import { paymentQuery } from '../../api/payment.ts';
import { formatDate, formatDateTime, formatNumber, formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import { Facts } from './Facts.tsx';
import { OrderMedia } from './OrderMedia.tsx';
import classes from './Orders.module.css';
import { PaymentDetails } from './PaymentDetails.tsx';
import { latest, PAYMENT_STATES, paymentStateOf } from './payment-state.ts';

const STATES = {
  processing: IconProgress,
  failed: IconExclamationCircle,
  finished: IconCircleCheck,
  deleted: IconTrash,
  gone: IconTrash,
};

/** Summarises the state of an order; a purchase without media has nothing to convert. */
function stateOf({ type, media }: Order): keyof typeof STATES {
  const left = media.filter(({ status }) => status !== MEDIA_STATUS.deleted);
  if (media.length === 0) return type === ORDER_TYPE.purchased ? 'finished' : 'gone';
  if (left.length === 0) return 'deleted';
  if (left.some(({ status }) => status === MEDIA_STATUS.processing)) return 'processing';
  return left.some(({ status }) => status === MEDIA_STATUS.unable) ? 'failed' : 'finished';
}

/** One order: a summary with its progress; expanded, all details and actions. */
export function OrderCard({ order: listed }: { order: Order }) {
  const { t } = useTranslation('orders');
  const language = currentLanguage();
  const order = usePolledOrder(listed);
  const { id, name, type, date, media } = order;
  const td = order.solution_order?.order_id;
  // Read only: the details ask for it while they are open.
  const { data: payment } = useQuery({ ...paymentQuery(td ?? ''), enabled: false });
  const paid = order.payment_state ? latest({ state: order.payment_state }, payment) : payment;
  const state = stateOf(order);
  const paidState = paid && media.length === 0 ? paymentStateOf(paid) : null;
  const Icon = paidState ? PAYMENT_STATES[paidState] : STATES[state];
  const cover = media.find((one) => one.cover !== null)?.cover;
  const costs = useCosts(order);
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <span className={classes.face}>
          <span className={classes.picture}>
            {cover ? <img src={cover} alt="" loading="lazy" decoding="async" /> : <Placeholder type={type} />}
          </span>
          <span className={classes.lines}>
            <Text component="span" fw={500} lineClamp={2} title={name}>
              {name}
            </Text>
            <Text component="span" size="sm" c="dimmed">
              {formatDate(date, language)}
              {costs !== undefined && ` · ${costs}`}
            </Text>
            <Text component="span" size="sm" className={classes.state ?? ''} data-state={paidState ?? state}>
              <Icon size="1.1em" aria-hidden />
              {paidState ? t(`payment.state.${paidState}`) : t(`state.${state}`)}
              {state === 'processing' && ` ${formatPercent(order.progress / 100, language)}`}
            </Text>
          </span>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="md">
          {media.length === 0 && state === 'gone' && <Text>{t('gone')}</Text>}
          {media.map((one) => (
            <OrderMedia key={one.id} media={one} alone={media.length === 1} />
          ))}
          {td !== undefined && <OrderPayment td={td} />}
          <Facts
            facts={[
              [t('fact.type'), t(`type.${type}`)],
              [t('fact.date'), formatDateTime(date, language)],
              // The payment says it too.
              [t('fact.costs'), td === undefined ? costs : undefined],
              [t('fact.album'), order.product?.album.name],
              [t('fact.number'), id],
            ]}
          />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** Returns what an order costs, in points or money; undefined if nothing. */
function useCosts({ costs, currency }: Order): string | undefined {
  const { t } = useTranslation('orders');
  const language = currentLanguage();
  if (costs === 0) return undefined;
  const code = currencyCode.safeParse(currency);
  if (code.success) return formatMoney({ amount: costs, currency: code.data }, language);
  return t('points', { count: costs, number: formatNumber(costs, language) });
}

function Placeholder({ type }: Pick<Order, 'type'>) {
  return type === ORDER_TYPE.purchased ? <IconReceipt aria-hidden /> : <IconPhoto aria-hidden />;
}

function OrderPayment({ td }: { td: string }) {
  const { t } = useTranslation('orders');
  const query = useQuery(paymentQuery(td));
  return (
    <QueryState
      query={query}
      failed={t('payment.one')}
      align="flex-start"
      loading={<Skeleton className={classes.paymentRoom} aria-hidden />}
    >
      {(payment) => <PaymentDetails payment={payment} />}
    </QueryState>
  );
}
