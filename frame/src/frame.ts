import type { FrameIdentity, FrameScreen } from '@framelift/contract';
import { type Answer, type FrameApi, Refusal } from './api.ts';
import type { Pairing, PairingStore } from './pairing-store.ts';
import type { Idle, Show } from './show/show.ts';
import type { Waiter } from './waiter.ts';

/** Why the frame cannot proceed; it retries automatically. */
export type Trouble = 'network' | 'service' | 'busy' | 'restricted';
/** Why a new code is needed. */
export type Reason = 'refused' | 'unpaired';

export type State =
  | { readonly kind: 'starting'; readonly trouble: Trouble | null }
  | {
      readonly kind: 'code';
      readonly code: string;
      /** Content of the QR code. */
      readonly link: string;
      /** In the time of `FrameParts.now`. */
      readonly endsAt: number;
      readonly reason: Reason | null;
      readonly trouble: Trouble | null;
    }
  | {
      readonly kind: 'paired';
      readonly frame: FrameIdentity;
      /** True once the server has accepted the pairing since this page was opened. */
      readonly known: boolean;
      readonly trouble: Trouble | null;
      readonly leaving: 'no' | 'asked' | 'under way' | 'failed';
      /** What the page says while no picture is on the screen; null while one is. */
      readonly idle: Idle | null;
    };

export interface FrameParts {
  readonly api: FrameApi;
  readonly store: PairingStore;
  readonly waiter: Waiter;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly origin: string;
  readonly about: () => {
    readonly kind: string;
    readonly version: string;
    readonly screen: FrameScreen;
    readonly timeZone: string;
  };
  readonly show: (state: State) => void;
  /** Starts to play what the owner sends. */
  readonly play: (token: string, unpaired: () => void, idle: (idle: Idle | null) => void) => Show;
  /** Called after an unexpected error in this page. */
  readonly breakDown: (error: unknown) => void;
}

export interface Frame {
  /** Asks for confirmation before the frame is unpaired. */
  askToLeave(): void;
  stay(): void;
  leave(): Promise<void>;
}

const LOADING: Idle = { kind: 'loading', waiting: 0 };
const HEARTBEAT_MS = 60_000;
/** Delays between retries: short at first, doubled each time up to `most`. */
const RETRY_MS = { first: 2000, most: 30_000 };
/** Upper limit of any delay, even if the server asks for a longer one. */
const LONGEST_MS = 5 * 60_000;
/** How long an expired code is still polled: clocks differ, and a member may have confirmed at the last moment. */
const GRACE_MS = 30_000;

/** Pairs this screen and keeps it paired across network failures. */
export function runFrame(parts: FrameParts): Frame {
  const { api, store, waiter } = parts;
  let state: State = { kind: 'starting', trouble: null };
  const show = (next: State) => {
    state = next;
    parts.show(state);
  };

  /** Retries until a call succeeds. */
  async function persist<T>(attempt: () => Promise<T>): Promise<T> {
    for (let delay = RETRY_MS.first; ; delay = Math.min(delay * 2, RETRY_MS.most)) {
      try {
        return await attempt();
      } catch (error) {
        const refusal = asRefusal(error);
        show({ kind: 'starting', trouble: troubleOf(refusal) });
        await waiter.wait(Math.max(delay, requestedDelay(refusal)), true);
      }
    }
  }

  /**
   * Shows a code until it is used or expires.
   * @returns why the next code is needed
   */
  async function pair(reason: Reason | null): Promise<Reason | null> {
    const { kind, screen } = parts.about();
    const codes = await persist(() => api.call('startFrame', { kind, screen }));
    const endsAt = parts.now() + codes.expires_in * 1000;
    const code = { kind: 'code', code: codes.user_code, link: linkOf(codes, parts.origin), endsAt, reason } as const;
    show({ ...code, trouble: null });
    let interval = codes.interval * 1000;
    let delay = interval;
    while (parts.now() < endsAt + GRACE_MS) {
      // Polling before the requested interval makes the server lengthen it; only a failed call may be repeated earlier.
      await waiter.wait(delay, delay > interval);
      // Another window of this browser has completed the pairing.
      if (store.read()) return null;
      try {
        const { access_token: token, frame } = await api.call('pollFrame', { device_code: codes.device_code });
        store.write({ token, frame });
        return null;
      } catch (error) {
        const refusal = asRefusal(error);
        if (refusal.code === 'access_denied') return 'refused';
        if (refusal.code === 'expired_token') return null;
        if (refusal.code === 'authorization_pending' || refusal.code === 'slow_down') {
          if (refusal.retryAfter !== null) interval = refusal.retryAfter * 1000;
          delay = interval;
          show({ ...code, trouble: null });
        } else {
          delay = Math.max(Math.min(delay * 2, RETRY_MS.most), requestedDelay(refusal));
          show({ ...code, trouble: troubleOf(refusal) });
        }
      }
    }
    return null;
  }

  /** Plays, and sends a heartbeat once a minute, until the frame is unpaired. */
  async function belong(first: Pairing): Promise<void> {
    if (state.kind !== 'paired')
      show({ kind: 'paired', frame: first.frame, known: false, trouble: null, leaving: 'no', idle: LOADING });
    let playing: Show | null = null;
    const stop = () => {
      playing?.stop();
      playing = null;
    };
    const update = (change: Partial<Extract<State, { kind: 'paired' }>>) => {
      if (state.kind === 'paired') show({ ...state, ...change });
    };
    let delay = RETRY_MS.first;
    for (;;) {
      const pairing = store.read();
      if (!pairing) {
        const ended = playing as Show | null;
        stop();
        await ended?.wipe();
        return;
      }
      const trouble = state.kind === 'paired' ? state.trouble : null;
      if (trouble === 'restricted') stop();
      else
        playing ??= parts.play(
          pairing.token,
          () => waiter.wake(),
          (idle) => update({ idle }),
        );
      const { kind: _kind, ...about } = parts.about();
      const report = playing?.report.take();
      try {
        const { at: _, ...frame } = await api.call('frameHeartbeat', { ...about, ...report?.body }, pairing.token);
        report?.sent();
        // The frame was unpaired while the request was pending.
        if (!store.read()) continue;
        store.write({ ...pairing, frame });
        update({ frame, known: true, trouble: null });
        delay = RETRY_MS.first;
        // After a restriction the show goes on at once.
        if (playing) await waiter.wait(HEARTBEAT_MS, true);
      } catch (error) {
        const refusal = asRefusal(error);
        if (refusal.status === 401) {
          store.wipe();
          continue;
        }
        update({ trouble: troubleOf(refusal) });
        await waiter.wait(Math.max(delay, requestedDelay(refusal)), true);
        delay = Math.min(delay * 2, HEARTBEAT_MS);
      }
    }
  }

  async function live(): Promise<never> {
    let reason: Reason | null = null;
    for (;;) {
      const pairing = store.read();
      if (pairing) {
        await belong(pairing);
        reason = 'unpaired';
        show({ kind: 'starting', trouble: null });
      } else {
        reason = await pair(reason);
      }
    }
  }

  const leaving = (step: 'no' | 'asked' | 'under way' | 'failed') => {
    if (state.kind === 'paired') show({ ...state, leaving: step });
  };
  show(state);
  live().catch(parts.breakDown);
  return {
    askToLeave: () => leaving('asked'),
    stay: () => leaving('no'),
    async leave() {
      const pairing = store.read();
      if (!pairing) return;
      leaving('under way');
      try {
        await api.call('leaveFrame', {}, pairing.token);
      } catch (error) {
        if (asRefusal(error).status !== 401) return leaving('failed');
      }
      store.wipe();
      waiter.wake();
    },
  };
}

/** @throws any error that is not a refusal by the server */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** Returns the delay that the server asks for, limited so that the frame does not seem broken. */
const requestedDelay = ({ retryAfter }: Refusal) => Math.min((retryAfter ?? 0) * 1000, LONGEST_MS);

function troubleOf({ code, status }: Refusal): Trouble {
  if (code === 'unreachable') return 'network';
  if (code === 'accountRestricted') return 'restricted';
  return status === 429 ? 'busy' : 'service';
}

/**
 * Returns the address for the QR code. A server without a configured public address returns a localhost address, which
 * phones cannot open; the frame then uses the address from which it loaded this page.
 */
export function linkOf({ verification_uri_complete: told }: Answer<'startFrame'>, origin: string): string {
  const address = new URL(told);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
  return isHere ? `${origin}${address.pathname}${address.search}` : told;
}
