import type { CallError, Client, ClientErrorCode, Language } from '@framelift/contract';

let language: () => Language = () => 'en';
let messageOf: (code: ClientErrorCode) => string = () => 'Network Error / Please check your network quality';
let unauthorized: () => void = () => {};

/**
 * Connects the client to the app: the language of server texts, the texts of errors that the server did not word, and
 * the handler of a 401 (no valid session).
 */
export function configureClient(options: {
  language: () => Language;
  messageOf: (code: ClientErrorCode) => string;
  onUnauthorized: () => void;
}): void {
  language = options.language;
  messageOf = options.messageOf;
  unauthorized = options.onUnauthorized;
}

let wire: Promise<Client> | undefined;

/**
 * Loads the contract's client. It contains every schema of the API, which the first paint does not need, so it is
 * loaded with the first call; forms preload it on focus.
 */
export function preloadClient(): Promise<Client> {
  wire ??= import('./wire.ts').then(({ createClient }) =>
    createClient({ base: '/api', language: () => language(), messageOf: (code) => messageOf(code) }),
  );
  // After a failed chunk load the next call has to load it again.
  wire.catch(() => {
    wire = undefined;
  });
  return wire;
}

/**
 * Makes one API call.
 * @throws CallError, also when no response arrived (`networkError`)
 */
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

/** A code chunk could not be loaded: for users the same as a call without a response. */
class NoAnswer extends Error implements CallError {
  readonly code = 'networkError';
  readonly status = 0;
  readonly details: readonly string[] = [];
  readonly retryAfter = undefined;
  constructor(cause: unknown) {
    super(messageOf('networkError'), { cause });
    this.name = 'CallError';
  }
}

export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'CallError';
}
