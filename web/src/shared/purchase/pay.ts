import type { PaymentMethod } from '@framelift/contract';
import { createPayment, requestCardPage } from '../../api/payment.ts';
import { sessionStored } from '../../api/stored.ts';

/** Code of the card provider for an accepted call. */
const ACCEPTED = '00';

/** The td of the payment that this tab has begun, whose end it tells once. It survives the way to the provider. */
const STARTED = 'payment';
export const startedPayment = {
  get: (): string | null => sessionStored.get(STARTED),
  set: (td: string | null): void => sessionStored.set(STARTED, td),
};

export interface Purchase {
  readonly offerId: number;
  readonly method: PaymentMethod;
  readonly key: string;
}

/** A card page that is open in another tab. */
export interface OpenPage {
  readonly td: string;
  readonly page: string;
}

/** The card provider refused the payment before its page was shown: nothing was charged. */
export class RefusedError extends Error {}

/**
 * Opens a tab for the card page. Browsers allow it only within the click, before the page's address is known.
 * @returns null where the browser refuses it
 */
export function openTab(text: string): Window | null {
  const tab = window.open('', '_blank');
  if (!tab) return null;
  tab.document.title = text;
  tab.document.body.textContent = text;
  // The page of the provider has no business with ours.
  tab.opener = null;
  return tab;
}

/**
 * Begins a payment and goes to the page of its provider: this tab never comes back from the call, unless the page was
 * opened in `tab`.
 * @throws CallError, RefusedError, and an AbortError once `signal` is aborted
 */
export async function pay(purchase: Purchase, tab: Window | null, signal: AbortSignal): Promise<OpenPage> {
  const { td, step } = await createPayment(purchase, signal);
  signal.throwIfAborted();
  if (step.kind !== 'token') tab?.close();
  startedPayment.set(td);
  if (step.kind === 'redirect') window.location.assign(step.url);
  else if (step.kind === 'form') submitForm(step.action, step.fields);
  else {
    const { code, result } = await requestCardPage(step.fields, signal);
    if (code !== ACCEPTED || !result) throw new RefusedError(code);
    signal.throwIfAborted();
    if (tab && !tab.closed) {
      tab.location.replace(result.pay_code);
      return { td, page: result.pay_code };
    }
    window.location.assign(result.pay_code);
  }
  return new Promise(() => {});
}

/** Opens the answer to a form, as if the buyer had sent it. */
function submitForm(action: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}
