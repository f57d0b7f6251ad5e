import { createVerify, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { crc32 } from 'node:zlib';
import type { Money } from '@framelift/contract';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { amountV1 } from './answers.ts';
import type { Transport } from './transport.ts';

/** A request to our webhook. */
export interface WebhookDelivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came: another spelling of the same JSON has another signature. */
  readonly body: Buffer;
}

/** What an event is about. It is only a hint: read the resource from PayPal before anything depends on it. */
export type WebhookSubject =
  | { readonly kind: 'order'; readonly orderId: string }
  | { readonly kind: 'capture'; readonly captureId: string; readonly orderId: string | null }
  | { readonly kind: 'refund'; readonly refundId: string; readonly captureId: string | null }
  | {
      /** A payment of a subscription; without one, of anything else. */
      readonly kind: 'sale';
      readonly saleId: string;
      readonly subscriptionId: string | null;
      readonly money: Money | null;
    }
  | { readonly kind: 'subscription'; readonly subscriptionId: string }
  | { readonly kind: 'dispute'; readonly disputeId: string; readonly captureIds: readonly string[] }
  | { readonly kind: 'other' };

export interface WebhookEvent {
  /** Unique: a repeated delivery has the same. */
  readonly id: string;
  /** Such as `PAYMENT.CAPTURE.COMPLETED`. */
  readonly type: string;
  readonly subject: WebhookSubject;
}

/**
 * `forged` is answered with 400 and forgotten. `unverifiable` (PayPal's certificate cannot be had now) is answered with
 * 503: PayPal delivers again.
 */
export type VerifiedWebhook =
  | { readonly kind: 'valid'; readonly event: WebhookEvent }
  | { readonly kind: 'forged' | 'unverifiable'; readonly reason: string };

export interface WebhookVerifierOptions {
  apiBase(): string;
  readonly webhookId: string;
  readonly log: Log;
  now(): Date;
  readonly call: Transport['call'];
}

const TIMEOUT_MS = 10_000;
const CERTIFICATE_BYTES = 100_000;
const CERTIFICATES_KEPT = 20;
/** PayPal repeats a delivery for three days. */
const OLDEST_MS = 4 * 24 * 3_600_000;
/** How far ahead of ours its clock may be. */
const AHEAD_MS = 10 * 60_000;

export const webhookEvent = z.looseObject({
  id: z.string().min(1),
  event_type: z.string().min(1),
  resource: z.looseObject({}).default({}),
});
const resource = z.looseObject({
  id: z.string().optional().catch(undefined),
  billing_agreement_id: z.string().optional().catch(undefined),
  order_id: z.string().optional().catch(undefined),
  sale_id: z.string().optional().catch(undefined),
  dispute_id: z.string().optional().catch(undefined),
  amount: amountV1.optional().catch(undefined),
  supplementary_data: z
    .looseObject({ related_ids: z.looseObject({ order_id: z.string().optional() }).optional() })
    .optional()
    .catch(undefined),
  links: z
    .array(z.looseObject({ href: z.string(), rel: z.string() }))
    .default([])
    .catch([]),
  disputed_transactions: z
    .array(z.looseObject({ seller_transaction_id: z.string().optional() }))
    .default([])
    .catch([]),
});

interface Certificates {
  readonly leaf: X509Certificate;
  /** Whether a public authority vouches for it, or no authority is needed. */
  readonly isTrusted: boolean;
}

/**
 * Returns the judge of deliveries: the signature is checked here, with the certificate that the delivery names, which may
 * only lie on PayPal's own hosts, or on the local sandbox if that is our API.
 */
export function createWebhookVerifier(options: WebhookVerifierOptions) {
  const { apiBase, webhookId, log, now, call } = options;
  const kept = new Map<string, Certificates>();

  async function certificatesAt(address: string): Promise<Certificates> {
    const known = kept.get(address);
    if (known) return known;
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    const pem = await response.text();
    if (pem.length > CERTIFICATE_BYTES) throw new Error('it is too long');
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const [leaf, ...others] = blocks.map((block) => new X509Certificate(block));
    if (!leaf) throw new Error('it holds no certificate');
    const found = { leaf, isTrusted: !isPayPals(new URL(address)) || reachesRoot(leaf, others, now()) };
    if (kept.size >= CERTIFICATES_KEPT) kept.clear();
    kept.set(address, found);
    return found;
  }

  /** Asks PayPal itself, where its certificate cannot be traced to a public authority. */
  async function askPayPal(told: Told, body: string): Promise<boolean> {
    const envelope = JSON.stringify({
      auth_algo: told.algorithm,
      cert_url: told.certificate,
      transmission_id: told.id,
      transmission_sig: told.signature,
      transmission_time: told.time,
      webhook_id: webhookId,
    });
    const { verification_status: status } = await call({
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      // The event must stay as it is spelt.
      json: `${envelope.slice(0, -1)},"webhook_event":${body}}`,
      schema: z.looseObject({ verification_status: z.string() }),
    });
    return status === 'SUCCESS';
  }

  async function judge(delivery: WebhookDelivery): Promise<VerifiedWebhook> {
    const told = readHeaders(delivery.headers);
    if (!told) return forged('A header of the signature lacks');
    if (told.algorithm !== 'SHA256withRSA') return forged('The algorithm is another');
    const age = now().getTime() - Date.parse(told.time);
    if (!(age <= OLDEST_MS && age >= -AHEAD_MS)) return forged('The time is too far from now');
    const address = allowedCertificate(told.certificate, apiBase());
    if (!address) return forged('The certificate is not on a host of PayPal');

    let certificates: Certificates;
    try {
      certificates = await certificatesAt(address);
    } catch (error) {
      return { kind: 'unverifiable', reason: `The certificate cannot be read: ${messageOf(error)}` };
    }
    const { leaf, isTrusted } = certificates;
    if (!isValidAt(leaf, now())) return forged('The certificate is not valid now');
    const message = `${told.id}|${told.time}|${webhookId}|${crc32(delivery.body)}`;
    const signed = createVerify('RSA-SHA256').update(message);
    if (leaf.publicKey.asymmetricKeyType !== 'rsa' || !signed.verify(leaf.publicKey, told.signature, 'base64')) {
      return forged('The signature does not fit');
    }
    const text = delivery.body.toString('utf8');
    const read = webhookEvent.safeParse(asJson(text));
    if (!read.success) return forged('The event cannot be read');
    try {
      if (!isTrusted && !(await askPayPal(told, text))) return forged('PayPal does not know it');
    } catch (error) {
      return { kind: 'unverifiable', reason: `PayPal cannot be asked: ${messageOf(error)}` };
    }
    return { kind: 'valid', event: eventOf(read.data) };
  }

  return async (delivery: WebhookDelivery): Promise<VerifiedWebhook> => {
    const verdict = await judge(delivery);
    if (verdict.kind !== 'valid') log.warn({ verdict: verdict.kind, reason: verdict.reason }, 'PayPal webhook refused');
    return verdict;
  };
}

interface Told {
  readonly id: string;
  readonly time: string;
  readonly signature: string;
  readonly certificate: string;
  readonly algorithm: string;
}

function readHeaders(headers: WebhookDelivery['headers']): Told | null {
  const of = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };
  const told = {
    id: of('paypal-transmission-id'),
    time: of('paypal-transmission-time'),
    signature: of('paypal-transmission-sig'),
    certificate: of('paypal-cert-url'),
    algorithm: of('paypal-auth-algo'),
  };
  // A separator inside a part would let other parts move.
  const isComplete = Object.values(told).every((value) => value !== '' && !value.includes('|'));
  return isComplete ? told : null;
}

const isPayPals = ({ hostname }: URL) => hostname === 'paypal.com' || hostname.endsWith('.paypal.com');

/**
 * Returns the address of a certificate if it may be trusted: on the hosts of PayPal's live API for the live API, of its
 * sandbox for its sandbox, and below the base for any other.
 */
function allowedCertificate(address: string, apiBase: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const base = new URL(apiBase);
  if (url.username || url.password || url.search || url.hash) return null;
  if (!isPayPals(base)) {
    const folder = `${base.pathname.replace(/\/$/, '')}/v1/notifications/certs/`;
    return url.origin === base.origin && url.pathname.startsWith(folder) ? url.href : null;
  }
  const environment = base.hostname.endsWith('.sandbox.paypal.com') ? 'sandbox.paypal.com' : 'paypal.com';
  const isOwn = url.protocol === 'https:' && url.port === '' && url.pathname.startsWith('/v1/notifications/certs/');
  return isOwn && [`api.${environment}`, `api-m.${environment}`].includes(url.hostname) ? url.href : null;
}

function isValidAt(certificate: X509Certificate, now: Date): boolean {
  return now >= new Date(certificate.validFrom) && now <= new Date(certificate.validTo);
}

/** Returns whether the certificate leads to an authority that Node trusts, over those that came with it. */
function reachesRoot(leaf: X509Certificate, others: readonly X509Certificate[], now: Date): boolean {
  const roots = rootCertificates.map((pem) => new X509Certificate(pem));
  let current = leaf;
  for (let depth = 0; depth <= others.length; depth += 1) {
    const issues = (issuer: X509Certificate) =>
      issuer.ca && current.checkIssued(issuer) && current.verify(issuer.publicKey);
    if (!isValidAt(current, now)) return false;
    if (roots.some(issues)) return true;
    const next = others.find((other) => other !== current && issues(other));
    if (!next) return false;
    current = next;
  }
  return false;
}

export function eventOf({ id, event_type: type, resource: told }: z.output<typeof webhookEvent>): WebhookEvent {
  return { id, type, subject: subjectOf(type, resource.parse(told)) };
}

function subjectOf(type: string, told: z.output<typeof resource>): WebhookSubject {
  const id = told.id ?? '';
  const up = told.links.find(({ rel }) => rel === 'up')?.href.match(/\/([A-Z\d]+)$/)?.[1] ?? null;
  const orderId = told.supplementary_data?.related_ids?.order_id ?? null;
  if (type.startsWith('CUSTOMER.DISPUTE.') && (told.dispute_id ?? id) !== '') {
    const captureIds = told.disputed_transactions.flatMap(({ seller_transaction_id: sold }) => sold ?? []);
    return { kind: 'dispute', disputeId: told.dispute_id ?? id, captureIds };
  }
  if (type.startsWith('CHECKOUT.') && (told.order_id ?? id) !== '') {
    return { kind: 'order', orderId: told.order_id ?? id };
  }
  if (id === '') return { kind: 'other' };
  if (type.startsWith('PAYMENT.REFUND.') || /^PAYMENT\.CAPTURE\.(REFUNDED|REVERSED)$/.test(type)) {
    return { kind: 'refund', refundId: id, captureId: up };
  }
  if (type.startsWith('PAYMENT.CAPTURE.')) return { kind: 'capture', captureId: id, orderId: orderId ?? up };
  if (/^PAYMENT\.SALE\.(REFUNDED|REVERSED)$/.test(type)) {
    return { kind: 'refund', refundId: id, captureId: told.sale_id ?? null };
  }
  if (type.startsWith('PAYMENT.SALE.')) {
    const subscriptionId = told.billing_agreement_id ?? null;
    return { kind: 'sale', saleId: id, subscriptionId, money: told.amount ?? null };
  }
  if (type.startsWith('BILLING.SUBSCRIPTION.')) return { kind: 'subscription', subscriptionId: id };
  return { kind: 'other' };
}

function forged(reason: string): VerifiedWebhook {
  return { kind: 'forged', reason };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
