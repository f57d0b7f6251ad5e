import type { Api, FramePlaylist, OutputOf, SentInputOf } from '@framelift/contract';

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

/** Event of the server: a change of the playlist, or the end of the pairing. */
export interface FrameEvent {
  readonly name: string;
  readonly version: string | null;
}

export interface FrameApi {
  /** @throws Refusal */
  call<N extends CallName>(name: N, input: SentInputOf<Api[N]>, token?: string): Promise<Answer<N>>;
  /**
   * Returns the playlist, or null if the present version is the known one.
   * @throws Refusal
   */
  playlist(token: string, known?: string): Promise<FramePlaylist | null>;
  /**
   * Receives events until the stream ends. `EventSource` cannot send the token.
   * @throws Refusal
   */
  events(token: string, signal: AbortSignal, onEvent: (event: FrameEvent) => void): Promise<void>;
}

/** The server sends a comment every 15 s; a stream that is silent for so long is dead. */
const SILENCE_MS = 45_000;

export function createApi(language: string): FrameApi {
  // A member may be logged in in this browser: the frame never uses their session.
  const common = { credentials: 'omit', cache: 'no-store' } as const;
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'accept-language': language });

  return {
    async playlist(token, known) {
      const hangsUp = new AbortController();
      const patience = setTimeout(() => hangsUp.abort(), PATIENCE_MS);
      let response: Response;
      let body: { success?: boolean; code?: string; message?: unknown };
      try {
        response = await fetch('/api/frame/playlist', {
          ...common,
          headers: { ...headersOf(token), ...(known === undefined ? {} : { 'if-none-match': `"${known}"` }) },
          signal: hangsUp.signal,
        });
        if (response.status === 304) return null;
        body = await response.json();
      } catch {
        throw new Refusal('unreachable', 0, null);
      } finally {
        clearTimeout(patience);
      }
      if (body.success === true) return body.message as FramePlaylist;
      throw refusalOf(response, body);
    },
    async events(token, signal, onEvent) {
      const hangsUp = new AbortController();
      const stop = () => hangsUp.abort();
      signal.addEventListener('abort', stop);
      let silence = setTimeout(stop, SILENCE_MS);
      try {
        const response = await fetch('/api/frame/events', {
          ...common,
          headers: { ...headersOf(token), accept: 'text/event-stream' },
          signal: hangsUp.signal,
        });
        if (!response.ok || !response.body) throw refusalOf(response, await response.json());
        const reader = response.body.getReader();
        const decoder = new TextDecoder();
        let text = '';
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          clearTimeout(silence);
          silence = setTimeout(stop, SILENCE_MS);
          const blocks = (text + decoder.decode(part.value, { stream: true })).split(/\r?\n\r?\n/);
          text = blocks.pop() ?? '';
          for (const block of blocks) {
            const event = eventOf(block);
            if (event) onEvent(event);
          }
        }
      } catch (error) {
        throw error instanceof Refusal ? error : new Refusal('unreachable', 0, null);
      } finally {
        clearTimeout(silence);
        signal.removeEventListener('abort', stop);
      }
    },
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
            ...(token === undefined ? { 'accept-language': language } : headersOf(token)),
          },
          body: JSON.stringify(input),
          ...common,
          signal: hangsUp.signal,
        });
        body = await response.json();
      } catch {
        throw new Refusal('unreachable', 0, null);
      } finally {
        clearTimeout(patience);
      }
      if (body.success === true) return body.message as Answer<typeof name>;
      throw refusalOf(response, body);
    },
  };
}

function refusalOf(response: Response, { code }: { code?: string }): Refusal {
  const seconds = Number(response.headers.get('retry-after'));
  return new Refusal(code ?? 'unreachable', response.status, seconds > 0 ? seconds : null);
}

/** Returns the event of a block of a stream; null for comments. */
function eventOf(block: string): FrameEvent | null {
  const lines = block.split(/\r?\n/);
  const fieldOf = (field: string) =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trim())
      .join('\n');
  const name = fieldOf('event');
  if (!name) return null;
  try {
    const { version = null } = JSON.parse(fieldOf('data') || '{}') as { version?: string };
    return { name, version };
  } catch {
    return { name, version: null };
  }
}
