import type { Api, OutputOf, SentInputOf } from '@framelift/contract';

/**
 * API calls of a frame. Only types are imported from the contract: its schemas would multiply the size of this page.
 */
const CALLS = {
  startFrame: ['POST', '/api/frame/start'],
  pollFrame: ['POST', '/api/frame/poll'],
  frameHeartbeat: ['POST', '/api/frame/heartbeat'],
  leaveFrame: ['POST', '/api/frame/unpair'],
} as const satisfies Partial<Record<keyof Api, readonly [string, string]>>;

export type CallName = keyof typeof CALLS;
export type Answer<N extends CallName> = OutputOf<Api[N]>;

/** Request timeout in milliseconds, longer than any regular response takes; a hanging call would block the frame. */
const PATIENCE_MS = 20_000;

/** Failed call: an error code of the contract, or `unreachable` when no response of our server arrived. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: number | null;
  constructor(code: string, status: number, retryAfter: number | null) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface FrameApi {
  /** @throws Refusal */
  call<N extends CallName>(name: N, input: SentInputOf<Api[N]>, token?: string): Promise<Answer<N>>;
}

export function createApi(language: string): FrameApi {
  return {
    async call(name, input, token) {
      const [method, path] = CALLS[name];
      const hangsUp = new AbortController();
      const patience = setTimeout(() => hangsUp.abort(), PATIENCE_MS);
      let response: Response;
      let body: { success?: boolean; code?: string; message?: unknown };
      try {
        response = await fetch(path, {
          method,
          headers: {
            'content-type': 'application/json',
            'accept-language': language,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(input),
          // A member may be logged in in this browser: the frame never uses their session.
          credentials: 'omit',
          cache: 'no-store',
          signal: hangsUp.signal,
        });
        body = await response.json();
      } catch {
        throw new Refusal('unreachable', 0, null);
      } finally {
        clearTimeout(patience);
      }
      if (body.success === true) return body.message as Answer<typeof name>;
      const seconds = Number(response.headers.get('retry-after'));
      throw new Refusal(body.code ?? 'unreachable', response.status, seconds > 0 ? seconds : null);
    },
  };
}
