import { formatMoney, type PaymentMethod, type Solution } from '@framelift/contract';
import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import IconBrandPaypal from '@tabler/icons-react/icons/IconBrandPaypal';
import IconCreditCard from '@tabler/icons-react/icons/IconCreditCard';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { paymentMethodsQuery } from '../../api/payment.ts';
import { QUIET } from '../../api/query-client.ts';
import { errorText } from '../../i18n/error-text.ts';
import { currentLanguage, i18next } from '../../i18n/index.ts';
import { showAlert } from '../../ui/alerts.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import { randomUuid } from '../../ui/random-uuid.ts';
import classes from './Purchase.module.css';
import { openTab, pay, RefusedError } from './pay.ts';

const ICONS = { paypal: IconBrandPaypal, card: IconCreditCard } as const;

interface Props {
  readonly solution: Solution;
  readonly name: string;
  readonly onBack: () => void;
}

interface Chosen {
  readonly method: PaymentMethod;
  readonly tab: Window | null;
}

/** Asks how to pay and leads to the page of the provider. Each way charges the offer's own price in its currency. */
export function PaymentChoice({ solution, name, onBack }: Props) {
  const { t } = useTranslation('payment');
  const navigate = useNavigate();
  const methods = useQuery(paymentMethodsQuery);
  const hint = useId();
  const language = currentLanguage();
  const top = useRef<HTMLDivElement>(null);
  /** One key for each way of this purchase: a second press continues the same payment. */
  const keys = useRef<Partial<Record<PaymentMethod, string>>>({});
  const leaving = useRef(new AbortController());
  /** Set within the click: the second of a double click comes before anything is drawn. */
  const isBusy = useRef(false);
  /** The provider keeps the card of a plan, which it does on a page of its own. */
  const inNewTab = solution.plan_id !== null;

  const paying = useMutation({
    mutationFn: ({ method, tab }: Chosen) => {
      keys.current[method] ??= randomUuid();
      return pay({ offerId: solution.id, method, key: keys.current[method] }, tab, leaving.current.signal);
    },
    onSuccess: ({ td, page }) => navigate(`/tradeResult?td=${td}`, { replace: true, state: { page } }),
    onError: (error, { method, tab }) => {
      tab?.close();
      // Without an answer the payment may exist, and is continued; any other begins anew.
      if (!isCallError(error) || error.status !== 0) delete keys.current[method];
      if (error instanceof RefusedError) {
        void showAlert({
          kind: 'error',
          title: i18next.t('upload:oops'),
          content: errorText('transactionFailed'),
          ms: UI_LIMITS.alertMs,
        });
      }
    },
    onSettled: () => {
      isBusy.current = false;
    },
    meta: QUIET,
  });
  const { reset } = paying;

  useEffect(() => {
    // The button that led here is gone.
    top.current?.focus();
    // Strict mode runs this twice.
    if (leaving.current.signal.aborted) leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  useEffect(() => {
    // "Back" from the page of the provider may show this one as it was left.
    const onShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      isBusy.current = false;
      reset();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [reset]);

  const choose = (method: PaymentMethod) => {
    if (isBusy.current) return;
    isBusy.current = true;
    paying.mutate({ method, tab: method === 'card' && inNewTab ? openTab(t('opening')) : null });
  };
  const error = isCallError(paying.error) ? paying.error : null;
  return (
    <Stack ref={top} tabIndex={-1} className={classes.choice ?? ''}>
      <Text fw={600}>{name}</Text>
      <QueryState query={methods} failed={t('failed')} loading={<Skeleton className={classes.room ?? ''} />}>
        {(ways) =>
          ways.length === 0 ? (
            <Text role="status">{t('closed')}</Text>
          ) : (
            <Stack gap="sm">
              {ways.map(({ method, currency, sandbox }) => {
                const price = solution.prices.find((one) => one.currency === currency);
                const amount = price && formatMoney({ amount: price.costs, currency }, language);
                const Icon = ICONS[method];
                const hints = price
                  ? [method === 'card' && inNewTab && t('newTab'), sandbox && t('test')].filter(Boolean)
                  : [t('noPrice')];
                const isChosen = paying.isPending && paying.variables.method === method;
                return (
                  <div key={method} className={classes.way}>
                    <Button
                      size="lg"
                      fullWidth
                      variant="default"
                      classNames={{ inner: classes.inner ?? '', label: classes.label ?? '' }}
                      leftSection={<Icon aria-hidden />}
                      rightSection={amount && <span className={classes.amount}>{amount}</span>}
                      aria-describedby={hints.length > 0 ? `${hint}-${method}` : undefined}
                      disabled={!price || (paying.isPending && !isChosen)}
                      loading={isChosen}
                      onClick={() => choose(method)}
                    >
                      {t(method)}
                    </Button>
                    {hints.length > 0 && (
                      <Text id={`${hint}-${method}`} size="sm" c="dimmed">
                        {hints.join(' · ')}
                      </Text>
                    )}
                  </div>
                );
              })}
              <Text size="sm" c="dimmed" role="status">
                {t(paying.isPending ? 'starting' : 'leave')}
              </Text>
            </Stack>
          )
        }
      </QueryState>
      {error && (
        <div role="alert">
          <Text c="var(--mantine-color-error)">{error.message}</Text>
          {error.code === 'paymentPending' && (
            <Anchor component={Link} to="/member/order?category=purchase_details" replace>
              {t('yourOrders')}
            </Anchor>
          )}
        </div>
      )}
      <Group justify="flex-start">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
      </Group>
    </Stack>
  );
}
