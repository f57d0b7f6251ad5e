import { formatMoney, type ManagedPaymentDetail, paymentStates } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { Panel } from '../Panel.tsx';
import classes from './Payments.module.css';
import { useProblemText } from './problem-text.ts';

type Event = ManagedPaymentDetail['events'][number];

/** What happened to a payment, oldest first; what exactly a message said is shown on demand. */
export function PaymentHistory({ payment: { events, currency, date } }: { payment: ManagedPaymentDetail }) {
  const { t } = useTranslation('adminPayments');
  const language = currentLanguage();
  const textOf = useProblemText();
  const nameOf = ({ type, body }: Event) => {
    const [kind, rest = ''] = type.split(/\.(.*)/);
    const amount = typeof body.amount === 'number' ? formatMoney({ amount: body.amount, currency }, language) : '…';
    if (kind === 'state') {
      const state = paymentStates.options.find((one) => one === rest);
      return t('history.state', { state: state ? t(`states.${state}`) : rest });
    }
    if (kind === 'problem') return t('history.problem', { problem: textOf(rest).name });
    if (kind === 'card') return t('history.card', { result: rest });
    switch (type) {
      case 'refund.begun':
        return t('history.refundBegun', { amount });
      case 'refund.part':
        return t('history.refundPart', { amount });
      case 'refunded':
        return t('history.refunded', { amount });
      case 'refund.failed':
        return t('history.refundFailed');
      case 'refunds.unasked':
        return t('history.refundsUnasked');
      case 'takenBack':
        return t('history.takenBack', { points: body.points, spent: body.spent });
      case 'payNow.declined':
        return t('history.payNowDeclined');
      case 'payNow.accepted':
        return t('history.payNowAccepted');
      case 'repaired':
        return t(body.cleared === true ? 'history.cleared' : 'history.repaired');
      case 'closed':
        return t('history.closed');
      default:
        return t('history.paypal');
    }
  };
  return (
    <Panel title={t('history.title')}>
      <ol className={classes.history}>
        <li>
          <time dateTime={date}>{formatDateTime(date, language)}</time>
          <div>{t('history.state', { state: t('states.created') })}</div>
        </li>
        {events.map((event) => (
          <li key={event.id}>
            <time dateTime={event.at}>{formatDateTime(event.at, language)}</time>
            <div>
              {nameOf(event)}
              {!event.handled && (
                <Text size="sm" c="var(--mantine-color-error)">
                  {t('history.unhandled')}
                </Text>
              )}
              <details className={classes.body}>
                <summary>{t('history.body')}</summary>
                <pre lang="en">{`${event.type}\n${JSON.stringify(event.body, null, 2)}`}</pre>
              </details>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
