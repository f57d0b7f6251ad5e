import { formatMoney, type PaymentInfo } from '@framelift/contract';
import { Button, Group, Loader, Skeleton, Text, Title } from '@mantine/core';
import IconAlertCircle from '@tabler/icons-react/icons/IconAlertCircle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import IconMail from '@tabler/icons-react/icons/IconMail';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import IconReceiptRefund from '@tabler/icons-react/icons/IconReceiptRefund';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { cancelPayment, checkoutQuery, paymentQuery } from '../../api/payment.ts';
import { useSession } from '../../api/session.ts';
import { formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { usePaymentFacts } from '../../shared/purchase/payment-facts.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { TryAgain } from '../../ui/QueryState.tsx';
import { NextSteps } from './NextSteps.tsx';
import classes from './Purchase.module.css';
import { type ResultView, viewOf } from './result-view.ts';
import { useAnnouncement } from './use-announcement.ts';

const TD = /^[0-9a-f]{32}$/;

/** /tradeResult?td=…: what became of a payment. The buyer comes here from the provider's page; it bears every reload. */
export function TradeResultPage() {
  // All texts at once: the page would be drawn anew for each later area.
  const { t } = useTranslation(['payment', 'points', 'frames', 'errors', 'upload']);
  const [query] = useSearchParams();
  const td = query.get('td');
  if (td === null || !TD.test(td)) {
    const view = td === null ? 'none' : 'unknown';
    return (
      <Card icon={<IconReceipt />} title={t(`result.${view}.title`)} text={t(`result.${view}.text`)}>
        <OrdersLink />
      </Card>
    );
  }
  return <Asked key={td} td={td} />;
}

function Asked({ td }: { td: string }) {
  const { t } = useTranslation('payment');
  const [query] = useSearchParams();
  // PayPal adds it to the address when the buyer has approved: then the money is captured before anything else.
  const isApproved = query.has('token') && !query.has('cancelled');
  const checkout = useQuery({ ...checkoutQuery(td), enabled: isApproved });
  const payment = useQuery({ ...paymentQuery(td), enabled: !isApproved || !checkout.isPending });
  const isLoaded = useAnnouncement(payment.data);
  if (payment.data) return <Result payment={payment.data} isLoaded={isLoaded} />;
  if (!payment.isError) {
    return (
      <Card icon={<Loader />} title={t('result.asking')}>
        <Skeleton height="9rem" />
      </Card>
    );
  }
  if (isCallError(payment.error) && payment.error.status === 404) {
    return (
      <Card icon={<IconReceipt />} title={t('result.unknown.title')} text={t('result.unknown.text')}>
        <OrdersLink />
      </Card>
    );
  }
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('result.title')} />
      <TryAgain query={payment} text={t('result.unreadable')} className={classes.card ?? ''} />
    </div>
  );
}

const ICONS: Record<ResultView, ReactNode> = {
  paid: <IconCircleCheck />,
  checking: <Loader />,
  code: <IconMail />,
  tab: <Loader />,
  unpaid: <IconReceipt />,
  failed: <IconCircleX />,
  cancelled: <IconReceipt />,
  expired: <IconReceipt />,
  refunded: <IconReceiptRefund />,
  review: <IconAlertCircle />,
};

/** @param isLoaded whether the balance is the one after the payment */
function Result({ payment, isLoaded }: { payment: PaymentInfo; isLoaded: boolean }) {
  const { t } = useTranslation(['payment', 'points']);
  const [query] = useSearchParams();
  const { page = null } = (useLocation().state ?? {}) as { page?: string };
  const session = useSession();
  const cancelling = useMutation(cancelPayment);
  const { mutate, isIdle } = cancelling;
  const heading = useRef<HTMLHeadingElement>(null);
  const language = currentLanguage();
  const { td, state, method, name, points } = payment;
  const gaveUp = query.has('cancelled') && state === 'created';
  // Who comes back from PayPal without approving has given the payment up.
  useEffect(() => {
    if (gaveUp && isIdle) mutate(td);
  }, [gaveUp, isIdle, mutate, td]);

  const view = viewOf(payment, {
    isCancelled: query.has('cancelled') || cancelling.isSuccess,
    isElsewhere: page !== null,
  });
  const facts = usePaymentFacts(payment);
  const pointText = (count: number) => t('points:amount.points', { count, number: formatNumber(count, language) });
  const text = () => {
    if (view !== 'paid') {
      // Why, where the server knows it; the title says that it failed.
      if (payment.failure !== null && view !== 'refunded')
        return t(`payment:failure.${payment.failure}`, { method: t(`payment:${method}`) });
      const refunded = formatMoney({ amount: payment.refunded, currency: payment.currency }, language);
      return t(`payment:result.${view === 'review' ? 'checking' : view}.text`, {
        method: t(`payment:${method}`),
        amount: refunded,
      });
    }
    const balance = session.kind === 'member' ? pointText(session.user.points) : '';
    const told = t(`payment:result.paid.${payment.kind}`, { name, points: pointText(points ?? 0), balance });
    if (payment.kind !== 'points' || isLoaded) return told;
    return (
      <span className={classes.coming}>
        <span aria-hidden>{told}</span>
        <span>{t('payment:result.paid.added', { points: pointText(points ?? 0) })}</span>
      </span>
    );
  };
  return (
    <Card
      icon={ICONS[view]}
      look={view === 'paid' ? 'good' : view === 'failed' ? 'bad' : 'plain'}
      title={t(`payment:result.${view}.title`)}
      heading={heading}
      text={text()}
      more={
        view === 'paid' && session.kind === 'member' && session.user.email
          ? t('payment:result.paid.receipt', { email: session.user.email })
          : undefined
      }
    >
      {cancelling.isError && !gaveUp && (
        <Text role="alert" c="var(--mantine-color-error)">
          {cancelling.error.message}
        </Text>
      )}
      <NextSteps
        payment={payment}
        view={view}
        page={page}
        // The button goes, with the focus.
        onCancel={() => mutate(td, { onSuccess: () => heading.current?.focus() })}
        cancelling={cancelling.isPending}
      />
      <dl className={classes.facts}>
        {facts.map(
          ([fact, value]) =>
            value !== undefined && (
              <div key={fact}>
                <dt>{fact}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Card>
  );
}

interface CardProps {
  readonly icon: ReactNode;
  readonly look?: 'good' | 'bad' | 'plain';
  readonly title: string;
  readonly heading?: Ref<HTMLHeadingElement>;
  readonly text?: ReactNode;
  readonly more?: string | undefined;
  readonly children: ReactNode;
}

function Card({ icon, look = 'plain', title, heading, text, more, children }: CardProps) {
  return (
    <div className={classes.page}>
      <DocumentTitle title={title} />
      <section className={classes.card}>
        <span className={classes.icon} data-look={look} aria-hidden>
          {icon}
        </span>
        {/* What changes while somebody waits is read out. */}
        <div className={classes.told} aria-live="polite">
          <Title order={1} size="h2" ref={heading ?? null} tabIndex={-1}>
            {title}
          </Title>
          {text && <Text>{text}</Text>}
          {more && <Text c="dimmed">{more}</Text>}
        </div>
        {children}
      </section>
    </div>
  );
}

function OrdersLink() {
  const { t } = useTranslation('payment');
  return (
    <Group>
      <Button component={Link} to="/member/order?category=purchase_details">
        {t('yourOrders')}
      </Button>
    </Group>
  );
}
