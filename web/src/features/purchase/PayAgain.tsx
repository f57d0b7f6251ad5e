import type { PaymentInfo } from '@framelift/contract';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planSolutionsQuery, pointSolutionsQuery, productSolutionsQuery } from '../../api/shop.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showError } from '../../shared/show-error.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';

const PurchaseDialog = lazyNamed(() => import('../../shared/purchase/PurchaseDialog.tsx'), 'PurchaseDialog');

const LISTS = { product: productSolutionsQuery, plan: planSolutionsQuery, points: pointSolutionsQuery };

/** Pays for the same thing again, in any way, as long as it is for sale at that price. */
export function PayAgain({ payment }: { payment: PaymentInfo }) {
  const { t } = useTranslation('payment');
  const { data, isFetching, refetch } = useQuery(LISTS[payment.kind](currentLanguage()));
  const [opened, setOpened] = useState(false);
  const [round, setRound] = useState(0);
  const solution = data?.find(({ id }) => id === payment.offer_id);
  if (data && !solution) return <Text c="dimmed">{t('result.gone')}</Text>;
  const open = async () => {
    const found = data ? { isSuccess: true, error: null } : await refetch();
    if (!found.isSuccess) return showError(found.error);
    setRound(round + 1);
    setOpened(true);
  };
  return (
    <>
      <Button loading={!data && isFetching} onClick={() => void open()}>
        {t('result.again')}
      </Button>
      <Suspense fallback={null}>
        {solution && round > 0 && (
          <PurchaseDialog
            key={round}
            solution={solution}
            name={payment.name}
            begins="choose"
            opened={opened}
            onClose={() => setOpened(false)}
          />
        )}
      </Suspense>
    </>
  );
}
