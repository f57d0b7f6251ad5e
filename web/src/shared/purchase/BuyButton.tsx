import type { Solution } from '@framelift/contract';
import { Button, type ButtonProps } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { hasAlready, refreshPurchases } from '../../api/payment.ts';
import { errorText } from '../../i18n/error-text.ts';
import { i18next } from '../../i18n/index.ts';
import { showAlert } from '../../ui/alerts.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { usePaying } from './paying.ts';

const PurchaseDialog = lazyNamed(() => import('./PurchaseDialog.tsx'), 'PurchaseDialog');

interface Props extends Omit<ButtonProps, 'children'> {
  readonly solution: Solution;
  /** What is bought, as the member knows it. */
  readonly name: string;
  readonly children: ReactNode;
}

/** Buys an offer, for members: asks first whether they have it already, then to confirm it and to choose how to pay. */
export function BuyButton({ solution, name, children, ...button }: Props) {
  const queries = useQueryClient();
  const paying = usePaying();
  const [opened, setOpened] = useState(false);
  const [round, setRound] = useState(0);
  const tell = async (code: 'noProductType' | 'alreadySubscribed') => {
    await i18next.loadNamespaces('errors');
    void showAlert({ kind: 'info', title: errorText(code), ms: UI_LIMITS.alertMs });
  };
  const checking = useMutation({
    mutationFn: hasAlready,
    onSuccess: async (has) => {
      if (!has) {
        setRound(round + 1);
        setOpened(true);
        return;
      }
      await tell('alreadySubscribed');
      await refreshPurchases(queries);
    },
  });
  const buy = () => {
    const { product_id, plan_id, points } = solution;
    if (product_id === null && plan_id === null && points === null) void tell('noProductType');
    else checking.mutate(solution);
  };
  return (
    <>
      <Button
        {...button}
        disabled={paying === 'closed' || paying === 'shut'}
        loading={checking.isPending}
        onClick={buy}
      >
        {children}
      </Button>
      <Suspense fallback={null}>
        {round > 0 && (
          <PurchaseDialog
            key={round}
            solution={solution}
            name={name}
            opened={opened}
            onClose={() => setOpened(false)}
          />
        )}
      </Suspense>
    </>
  );
}
