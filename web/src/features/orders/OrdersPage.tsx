import { LIMITS } from '@framelift/contract';
import { Button, Tabs, Title } from '@mantine/core';
import IconCreditCard from '@tabler/icons-react/icons/IconCreditCard';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { OrderCategory, OrderDates } from '../../api/orders.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { OrderList } from './OrderList.tsx';
import classes from './Orders.module.css';

const CATEGORIES: readonly OrderCategory[] = ['all', 'upload', 'purchase_details'];
const DATES: readonly OrderDates[] = ['any', ...(Object.keys(LIMITS.orderDateDays) as OrderDates[])];

/** The member's orders by category and period. Both are stored in the URL, so that "back" restores them. */
export function OrdersPage() {
  // The receipts too: the page would be drawn anew for their texts.
  const { t } = useTranslation(['orders', 'payment']);
  const [query, setQuery] = useSearchParams();
  const category = CATEGORIES.find((one) => one === query.get('category')) ?? 'all';
  const dates = DATES.find((one) => one === query.get('dates')) ?? 'any';

  const choose = (changes: { category?: string | null; dates?: string | null }) =>
    setQuery(
      (before) => {
        for (const [name, value] of Object.entries(changes)) if (value) before.set(name, value);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );

  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <div className={classes.head}>
        <Title order={1}>{t('title')}</Title>
        <Button
          component={Link}
          to="/menu/payments"
          variant="subtle"
          data-guide="payments"
          leftSection={<IconCreditCard size="1.25rem" aria-hidden />}
        >
          {t('payment.title')}
        </Button>
      </div>
      <Tabs value={category} onChange={(value) => choose({ category: value })} keepMounted={false}>
        <Tabs.List grow aria-label={t('category.label')} data-guide="order-kinds">
          {CATEGORIES.map((one) => (
            <Tabs.Tab key={one} value={one} className={classes.tab ?? ''}>
              {t(`category.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {CATEGORIES.map((one) => (
          <Tabs.Panel key={one} value={one} className={classes.panel ?? ''}>
            <Tabs variant="pills" value={dates} onChange={(value) => choose({ dates: value })} keepMounted={false}>
              <Tabs.List aria-label={t('dates.label')} className={classes.dates ?? ''} data-guide="order-dates">
                {DATES.map((span) => (
                  <Tabs.Tab key={span} value={span} className={classes.date ?? ''}>
                    {t(`dates.${span}`)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {DATES.map((span) => (
                <Tabs.Panel key={span} value={span}>
                  <OrderList
                    category={one}
                    dates={span}
                    onWiden={() => choose(span === 'any' ? { category: 'all' } : { dates: 'any' })}
                  />
                </Tabs.Panel>
              ))}
            </Tabs>
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}
