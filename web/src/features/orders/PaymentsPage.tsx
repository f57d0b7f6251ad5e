import { formatMoney, type PaymentInfo } from '@framelift/contract';
import { Accordion, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconCards from '@tabler/icons-react/icons/IconCards';
import IconCoins from '@tabler/icons-react/icons/IconCoins';
import IconCreditCard from '@tabler/icons-react/icons/IconCreditCard';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paymentListQuery, paymentQuery } from '../../api/payment.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import classes from './Orders.module.css';
import { PaymentDetails } from './PaymentDetails.tsx';
import { latest, PAYMENT_STATES, paymentStateOf } from './payment-state.ts';

const SKELETONS = ['a', 'b', 'c', 'd'];
const KINDS = { product: IconPhoto, plan: IconCards, points: IconCoins };

/** /menu/payments: everything that the member has paid, or tried to, newest first. */
export function PaymentsPage() {
  // The receipts too: the page would be drawn anew for their texts.
  const { t } = useTranslation(['orders', 'payment']);
  const { t: common } = useTranslation();
  const list = useInfiniteQuery(paymentListQuery(currentLanguage()));
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('payment.title')} />
      <div>
        <Title order={1}>{t('payment.title')}</Title>
        <Text c="dimmed">{t('payment.lead')}</Text>
      </div>
      <InfiniteList<PaymentInfo, HTMLDivElement>
        query={list}
        loading={
          <Stack gap="md" aria-hidden>
            {SKELETONS.map((key) => (
              <Skeleton key={key} className={classes.skeleton} />
            ))}
          </Stack>
        }
        failed={t('payment.failed')}
        className={classes.note ?? ''}
        empty={
          <Stack align="center" className={classes.note}>
            <IconCreditCard size="3rem" stroke={1.2} aria-hidden />
            <Title order={2} size="h3">
              {t('payment.empty')}
            </Title>
            <Text c="dimmed">{t('payment.emptyText')}</Text>
            <Group justify="center" gap="sm">
              <Button component={Link} to="/subscribe" variant="default">
                {t('payment.plans')}
              </Button>
              <Button component={Link} to="/addValue" variant="default">
                {common('buyPoints')}
              </Button>
            </Group>
          </Stack>
        }
        shown={(count) => t('payment.shown', { count })}
        focus="button"
      >
        {(payments, place) => (
          <Accordion ref={place} multiple order={2} variant="separated" keepMounted={false}>
            {payments.map((payment) => (
              <PaymentCard key={payment.td} payment={payment} />
            ))}
          </Accordion>
        )}
      </InfiniteList>
    </div>
  );
}

/** One payment: what, when, how much and its state; expanded, the receipt and what can be done. */
function PaymentCard({ payment: listed }: { payment: PaymentInfo }) {
  const { t } = useTranslation('orders');
  const language = currentLanguage();
  // While its details are open they may learn more.
  const { data: own } = useQuery({ ...paymentQuery(listed.td), enabled: false });
  const payment = latest(listed, own);
  const { td, name, kind, date, costs, currency } = payment;
  const state = paymentStateOf(payment);
  const Icon = PAYMENT_STATES[state];
  const KindIcon = KINDS[kind];
  return (
    <Accordion.Item value={td}>
      <Accordion.Control>
        <span className={classes.face}>
          <span className={classes.picture}>
            <KindIcon aria-hidden />
          </span>
          <span className={classes.lines}>
            <Text component="span" fw={500} lineClamp={2} title={name}>
              {name}
            </Text>
            <Text component="span" size="sm" c="dimmed" className="tabular">
              {formatDate(date, language)} · {formatMoney({ amount: costs, currency }, language)}
            </Text>
            <Text component="span" size="sm" className={classes.state ?? ''} data-state={state}>
              <Icon size="1.1em" aria-hidden />
              {t(`payment.state.${state}`)}
            </Text>
          </span>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        <Followed payment={payment} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** Mounted while the card is open: asks for the payment until it is decided. */
function Followed({ payment }: { payment: PaymentInfo }) {
  const { data = payment } = useQuery(paymentQuery(payment.td));
  return <PaymentDetails payment={data} />;
}
