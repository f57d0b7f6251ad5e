import { z } from 'zod';
import type { Log } from '../../log.ts';
import { asPayPalError, PayPalError } from './paypal-error.ts';

export interface TransportOptions {
  /** Base of the REST API without a trailing slash, such as `https://api-m.paypal.com`. */
  apiBase(): string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly log: Log;
  /** Milliseconds that only grow, for the age of the token. */
  elapsedMs(): number;
  /** For one call, its answer included. */
  readonly timeoutMs?: number;
}

export interface Call<T> {
  readonly method: 'GET' | 'POST';
  /** Below the base, beginning with `/`. Parts from outside must be encoded. */
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly body?: unknown;
  /** A body that is JSON already, sent byte by byte. */
  readonly json?: string;
  /** Makes a repetition of a POST harmless: PayPal answers what it answered first. */
  readonly requestId?: string;
  /** Asks for the whole resource instead of its id. */
  readonly whole?: boolean;
}

export interface Transport {
  /** Returns the parsed answer. @throws PayPalError */
  call<T>(call: Call<T>): Promise<T>;
}

const TIMEOUT_MS = 20_000;
/** A token is renewed this long before its end, or after nine tenths of a short life. */
const EARLY_MS = 5 * 60_000;

const tokenAnswer = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().positive() });

interface Token {
  readonly value: string;
  readonly goodUntil: number;
}

/** An answer whose body is read. `body` is undefined where it is empty, and `broken` where it is no JSON. */
interface Answer {
  readonly status: number;
  readonly debugId: string | null;
  readonly body: unknown;
  readonly broken: boolean;
}

/** Opens the connection to the REST API. Tokens are kept in memory. */
export function createTransport(options: TransportOptions): Transport {
  const { apiBase, clientId, clientSecret, log, elapsedMs, timeoutMs = TIMEOUT_MS } = options;
  let token: Token | null = null;
  let fetching: Promise<Token> | null = null;

  async function send(name: string, path: string, init: RequestInit): Promise<Answer> {
    const began = elapsedMs();
    let status: number | null = null;
    let debugId: string | null = null;
    try {
      // No redirects: they would carry the credentials elsewhere.
      const request = { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) } as const;
      const response = await fetch(`${apiBase()}${path}`, request);
      status = response.status;
      debugId = response.headers.get('paypal-debug-id');
      const text = await response.text();
      const level = status >= 400 ? 'warn' : 'debug';
      log[level]({ call: name, status, debugId, ms: Math.round(elapsedMs() - began) }, 'PayPal');
      return { status, debugId, ...parsed(text) };
    } catch (error) {
      const timedOut = error instanceof Error && error.name === 'TimeoutError';
      const told = { name: timedOut ? 'TIMEOUT' : 'NO_ANSWER', status, debugId, isUnknown: true };
      log.warn({ call: name, status, debugId, reason: reasonOf(error) }, 'PayPal did not answer');
      throw new PayPalError(`PayPal did not answer ${name}: ${reasonOf(error)}`, told);
    }
  }

  async function fetchToken(): Promise<Token> {
    const began = elapsedMs();
    const answer = await send('POST /v1/oauth2/token', '/v1/oauth2/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
    });
    if (answer.status >= 400) throw withoutEffect(asPayPalError('a token', answer.status, answer.body, answer.debugId));
    const { data } = tokenAnswer.safeParse(answer.body);
    if (!data) throw new PayPalError('PayPal answers no token', { status: answer.status, name: 'BROKEN_ANSWER' });
    const lifeMs = data.expires_in * 1000;
    return { value: data.access_token, goodUntil: began + Math.max(lifeMs * 0.9, lifeMs - EARLY_MS) };
  }

  /** Returns the token; calls at the same time share one request for it. */
  async function currentToken(): Promise<Token> {
    if (token && elapsedMs() < token.goodUntil) return token;
    fetching ??= fetchToken().finally(() => {
      fetching = null;
    });
    try {
      token = await fetching;
      return token;
    } catch (error) {
      // The call itself was not sent, so nothing is unknown about it.
      throw error instanceof PayPalError ? withoutEffect(error) : error;
    }
  }

  return {
    async call({ method, path, schema, body, json, requestId, whole }) {
      const name = `${method} ${path.split('?', 1)[0]}`;
      const attempt = async (): Promise<Answer> => {
        const used = await currentToken();
        const answer = await send(name, path, {
          method,
          headers: {
            authorization: `Bearer ${used.value}`,
            accept: 'application/json',
            ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
            ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
            ...(whole ? { prefer: 'return=representation' } : {}),
          },
          ...(method === 'POST' ? { body: json ?? JSON.stringify(body ?? {}) } : {}),
        });
        // Revoked before its time. A newer one may already be there.
        if (answer.status === 401 && token === used) token = null;
        return answer;
      };
      let answer = await attempt();
      if (answer.status === 401) answer = await attempt();
      const { status, debugId } = answer;
      if (status >= 400) throw asPayPalError(name, status, answer.body, debugId);
      const result = answer.broken ? null : schema.safeParse(answer.body);
      if (result?.success) return result.data;
      const fields = result?.error.issues.map((issue) => issue.path.join('.')) ?? ['(no JSON)'];
      log.warn({ call: name, status, debugId, fields }, 'PayPal answers in an unknown form');
      // Not a refusal: a POST has probably had its effect.
      const told = { status, name: 'BROKEN_ANSWER', debugId, isUnknown: true };
      throw new PayPalError(`PayPal answers ${name} in an unknown form: ${fields.join(', ')}`, told);
    },
  };
}

function withoutEffect({ message, status, name, issues, debugId }: PayPalError): PayPalError {
  return new PayPalError(message, { status, name, issues, debugId });
}

function parsed(text: string): Pick<Answer, 'body' | 'broken'> {
  if (text.trim() === '') return { body: undefined, broken: false };
  try {
    return { body: JSON.parse(text), broken: false };
  } catch {
    return { body: undefined, broken: true };
  }
}

/** Without the URL or headers that the error may name. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === 'string' ? code : cause instanceof Error ? cause.name : 'unknown';
}
