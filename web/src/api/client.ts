import type { CallError, Client, Language } from '@framelift/contract';

let language: () => Language = () => 'en';
let unauthorized: () => void = () => {};

/** Wires the client to the app: the language of server texts, and what a 401 (no valid session) does. */
export function configureClient(options: { language: () => Language; onUnauthorized: () => void }): void {
  language = options.language;
  unauthorized = options.onUnauthorized;
}

let wire: Promise<Client> | undefined;

/**
 * Loads the contract's client. It carries every schema of the API, which no first paint needs, so it comes with the
 * first call; forms load it ahead when they get the focus.
 */
export function preloadClient(): Promise<Client> {
  wire ??= import('./wire.ts').then(({ createClient }) => createClient({ base: '/api', language: () => language() }));
  // A chunk that could not be fetched must be fetched again by the next call.
  wire.catch(() => {
    wire = undefined;
  });
  return wire;
}

/** Makes one call of the API. @throws CallError; also when no answer came (`networkError`). */
export const call: Client['call'] = async (...args) => {
  let client: Client;
  try {
    client = await preloadClient();
  } catch (error) {
    throw new NoAnswer(error);
  }
  try {
    return await client.call(...args);
  } catch (error) {
    if (isCallError(error) && error.status === 401) unauthorized();
    throw error;
  }
};

/** The code of the app itself could not be fetched: for people the same as a call without an answer. */
class NoAnswer extends Error implements CallError {
  readonly code = 'networkError';
  readonly status = 0;
  readonly details: readonly string[] = [];
  readonly retryAfter = undefined;
  constructor(cause: unknown) {
    super('Network Error / Please check your network quality', { cause });
    this.name = 'CallError';
  }
}

export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'CallError';
}
