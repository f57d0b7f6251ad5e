import { createSign, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isoTime, newId, type SandboxEvent, type SandboxState } from './state.ts';

/** Waiting times before the second and further attempts of a delivery, in seconds. PayPal repeats for three days. */
const RETRIES = [5, 30, 120, 600, 3600, ...Array.from({ length: 19 }, () => 4 * 3600)];
/** A delivery in progress is left alone for this time. */
const LEASE_MS = 30_000;

/** Queues the delivery of an event, in the same change as what happened. */
export function queueEvent(state: SandboxState, now: number, type: string, resource: object): SandboxEvent {
  const id = `WH-${newId()}-${newId()}`;
  const isFirstApi = type.startsWith('PAYMENT.SALE.');
  const body = JSON.stringify({
    id,
    event_version: '1.0',
    create_time: isoTime(now),
    resource_type: resourceType(type),
    resource_version: isFirstApi ? '1.0' : '2.0',
    event_type: type,
    summary: `A sandbox event: ${type}.`,
    resource,
    links: [
      { href: `${state.apiBase}/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' },
      { href: `${state.apiBase}/v1/notifications/webhooks-events/${id}/resend`, rel: 'resend', method: 'POST' },
    ],
  });
  state.lastNumber += 1;
  const event: SandboxEvent = {
    id,
    type,
    number: state.lastNumber,
    body,
    createdAt: now,
    attempts: 0,
    nextAt: now,
    delivered: false,
  };
  state.events[id] = event;
  return event;
}

function resourceType(type: string): string {
  if (type.startsWith('CHECKOUT.')) return 'checkout-order';
  if (type.startsWith('BILLING.')) return 'subscription';
  if (/REFUND/.test(type)) return 'refund';
  return type.startsWith('PAYMENT.SALE.') ? 'sale' : 'capture';
}

/** Returns when the next delivery is due; null if none waits. */
export function nextDelivery(state: SandboxState): number | null {
  const times = Object.values(state.events).flatMap(({ nextAt }) => nextAt ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** Takes the oldest due event for a delivery; another process then takes the next one. */
export function claimDelivery(state: SandboxState, now: number): SandboxEvent | null {
  // The database does not keep the order of keys.
  const [due] = Object.values(state.events)
    .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
    .sort((a, b) => a.number - b.number);
  if (!due) return null;
  due.attempts += 1;
  due.nextAt = now + LEASE_MS;
  return { ...due };
}

/** Records how a delivery ended. */
export function settleDelivery(state: SandboxState, id: string, now: number, delivered: boolean): void {
  const event = state.events[id];
  if (!event) return;
  const wait = RETRIES[event.attempts - 1];
  event.delivered = delivered;
  event.nextAt = delivered || wait === undefined ? null : now + wait * 1000;
}

/** Returns the headers of a delivery, with its signature. */
export function signedHeaders(
  state: SandboxState,
  event: SandboxEvent,
  webhookId: string,
  now: number,
  id = randomUUID() as string,
) {
  if (!state.identity) throw new Error('The sandbox has no key yet');
  const time = isoTime(now);
  const message = `${id}|${time}|${webhookId}|${crc32(event.body)}`;
  return {
    'content-type': 'application/json',
    'user-agent': 'PayPal/AUHD-1.0-1',
    'correlation-id': newId(13).toLowerCase(),
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': createSign('RSA-SHA256').update(message).sign(state.identity.privateKey, 'base64'),
    'paypal-cert-url': `${state.apiBase}/v1/notifications/certs/${state.identity.certificateId}`,
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
  };
}

export function showEvent(event: SandboxEvent): object {
  const status = event.delivered ? 'SUCCESS' : event.nextAt === null ? 'FAILURE' : 'PENDING';
  return { ...(JSON.parse(event.body) as object), status, attempts: event.attempts };
}
