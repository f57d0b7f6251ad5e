import type { Product, Solution } from '@framelift/contract';

/** What is chosen in the dialog of a product. */
export interface Choice {
  /** Id of the chosen offer. */
  readonly planId: number | null;
  /** Whether the member has the product as a free one. */
  readonly isFree: boolean;
}

export type ChoiceStep =
  | { readonly type: 'choose'; readonly planId: number }
  | { readonly type: 'cancel' }
  | { readonly type: 'save' }
  | { readonly type: 'undo' };

/** Returns the offers of a product that cost something; none for a product that is free. */
export function plansOf(solutions: readonly Solution[], { id, hasFree }: Pick<Product, 'id' | 'hasFree'>): Solution[] {
  return hasFree ? [] : solutions.filter(({ product_id, costs }) => product_id === id && costs > 0);
}

/** Returns the choice with which the dialog opens: the first offer. */
export function firstChoice(plans: readonly Solution[], { isFree }: Pick<Product, 'isFree'>): Choice {
  return { planId: plans[0]?.id ?? null, isFree };
}

export function nextChoice(choice: Choice, step: ChoiceStep): Choice {
  switch (step.type) {
    case 'choose':
      return { planId: step.planId, isFree: false };
    case 'cancel':
      return { ...choice, planId: null };
    case 'save':
      return { ...choice, isFree: true };
    case 'undo':
      return { ...choice, isFree: false };
  }
}
