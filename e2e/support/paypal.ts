import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PaymentStart } from '@framelift/contract';
import type { RunningServer } from './server.ts';

/** Approves a payment as its buyer does on the page of the local PayPal. Returns where that leads back to. */
export async function approveAtPayPal({ step }: PaymentStart): Promise<URL> {
  if (step.kind !== 'redirect') throw new Error(`The payment does not lead to PayPal but to ${step.kind}`);
  const page = new URL(step.url);
  const [name, token] = [...page.searchParams][0] ?? ['', ''];
  const body = new URLSearchParams({ choice: 'approve', [name]: token });
  const answer = await fetch(page.origin + page.pathname, { method: 'POST', body, redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`PayPal answers ${answer.status}`);
  return new URL(location);
}

/**
 * Returns a function that calls the API of the local PayPal. Its credentials derive from the key of the server, which
 * only those have who can read its files.
 */
export async function atPayPal({ url, dataDir }: RunningServer) {
  const key = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
  const own = (name: string) => createHmac('sha256', key).update(`paypal sandbox ${name}`).digest('base64url');
  // As the server itself calls it: the signatures of its messages are traced to this address.
  const base = `${url.replace('localhost', '127.0.0.1')}/sandbox/paypal`;
  const login = Buffer.from(`${own('client')}:${own('secret')}`).toString('base64');
  const answer = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${login}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = await answer.json();
  return async (path: string, body?: object) => {
    const response = await fetch(base + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    });
    if (!response.ok) throw new Error(`${path} is answered with ${response.status}: ${await response.text()}`);
    return response.json();
  };
}
