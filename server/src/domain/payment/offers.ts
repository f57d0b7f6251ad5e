import { type Currency, inLanguage, type Language, type Money, type PaymentMethod } from '@framelift/contract';
import type { PaymentRow, Sold } from './payment.sql.ts';

export type Provider = PaymentRow['provider'];

export const PROVIDERS: Readonly<Record<PaymentMethod, Provider>> = { paypal: 'paypal', card: 'sunpay' };
/** The only currency of each provider. Prices are the operators' own in each; none is ever converted. */
export const CURRENCY_OF: Readonly<Record<Provider, Currency>> = { paypal: 'USD', sunpay: 'TWD' };

export function methodOf(provider: Provider): PaymentMethod {
  return provider === 'paypal' ? 'paypal' : 'card';
}

/** Returns the price at a provider; null where the offer has none, or costs nothing. */
export function priceAt({ offer }: Pick<Sold, 'offer'>, provider: Provider): Money | null {
  const amount = provider === 'paypal' ? offer.priceUsd : offer.priceTwd;
  return amount ? { amount, currency: CURRENCY_OF[provider] } : null;
}

export function nameOf({ offer, product, plan }: Sold, language: Language): string {
  const name = offer.name ?? product?.name ?? plan?.name;
  return name ? inLanguage(name, language) : '';
}

/** Returns what is bought, of which one payment may be under way for a member. */
export function targetOf({ offer }: Pick<Sold, 'offer'>): string {
  if (offer.kind === 'plan') return 'plan';
  return offer.kind === 'product' ? `product:${offer.productId}` : `points:${offer.id}`;
}

/** The number of a payment at the providers: letters and digits only. */
export function tdOf({ id }: Pick<PaymentRow, 'id'>): string {
  return id.replaceAll('-', '');
}

/** Returns the subscription at PayPal of a payment of `billing`, also of a renewal; null before it is made. */
export function billingRef({ route, providerOrderId }: Pick<PaymentRow, 'route' | 'providerOrderId'>): string | null {
  return route === 'billing' ? (providerOrderId?.split(':')[0] ?? null) : null;
}

/** Returns the id of a payment with this number; null for what is none. */
export function idOfTd(td: string): string | null {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(td);
  return parts?.slice(1).join('-') ?? null;
}
