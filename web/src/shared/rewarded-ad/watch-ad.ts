import { type AdSession, type api, type Client, type OutputOf, PAYMENT_TYPE } from '@framelift/contract';
import { isCallError } from '../../api/client.ts';
import { patientCall } from '../patient-call.ts';

export type Reward = NonNullable<OutputOf<typeof api.checkPaymentFlow>['reward']>;

/** What a player tells, whatever shows the ad. */
export interface AdEvents {
  /** The ad can be seen. */
  ready(): void;
  /** The player has shown it to its end; the server still counts its time. */
  granted(): void;
  /** The ad was left before its end; before `ready`: there is none. */
  closed(): void;
}

export interface AdPlayerProps {
  readonly ad: AdSession;
  readonly events: AdEvents;
}

/** An ad that is being watched. */
export interface AdWatch {
  readonly events: AdEvents;
  /** Returns for how many milliseconds it was visible. */
  watchedMs(): number;
  /** Rejects with `AdClosed`, with a CallError, or with the reason of the aborted signal. */
  readonly reward: Promise<Reward>;
}

/** The player was closed. `isMissing`: there was no ad to show. */
export class AdClosed extends Error {
  readonly isMissing: boolean;
  constructor(isMissing: boolean) {
    super('The ad was closed');
    this.name = 'AdClosed';
    this.isMissing = isMissing;
  }
}

/** A report that the server finds too early is repeated after this time, so often: clocks run differently. */
const EARLY_MS = 1000;
const EARLY_TIMES = 5;

/**
 * Reports to the server how an ad is watched, and claims its reward. Time counts while the page is visible. The clock here
 * never runs before that of the server: it starts with the answer to a report, and stops with the page at once.
 */
export function watchAd(
  ad: AdSession,
  {
    call,
    signal,
    onInterrupted,
  }: {
    call: Client['call'];
    signal: AbortSignal;
    /** Called with true when the line is broken, and with false when it is back. */
    onInterrupted: (is: boolean) => void;
  },
): AdWatch {
  const clock = stopwatch();
  const patient = patientCall(call, {
    onWaiting: () => {
      clock.stop();
      onInterrupted(true);
    },
  });
  const isVisible = () => document.visibilityState === 'visible';
  let state: 'loading' | 'ready' | 'granted' = 'loading';
  let leave: (error: AdClosed) => void = () => {};
  let wake: () => void = () => {};
  const onVisibility = () => {
    if (!isVisible()) clock.stop();
    wake();
  };
  document.addEventListener('visibilitychange', onVisibility, { signal });
  signal.addEventListener('abort', () => wake());

  /** Resolves after the time, or when something has changed. */
  const pause = (ms?: number) =>
    new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  let nonce: string | null = ad.nonce;
  let quartile: OutputOf<typeof api.adProgress>['quartile'] = 0;
  /** Visibility that the server knows; null before the first report. */
  let told: boolean | null = null;
  const report = async (reached: number) => {
    const visible = isVisible();
    const input = { nonce: nonce ?? '', quartile: reached as typeof quartile, visible };
    const answer = await patient('adProgress', { params: { id: ad.id }, input, signal });
    onInterrupted(false);
    ({ nonce, quartile } = answer);
    told = visible;
  };

  const run = async (): Promise<Reward> => {
    while (state === 'loading') {
      await pause();
      signal.throwIfAborted();
    }
    await report(0);
    let early = 0;
    while (nonce !== null) {
      signal.throwIfAborted();
      if (told !== isVisible()) {
        await report(quartile);
        continue;
      }
      if (!told) {
        await pause();
        continue;
      }
      clock.start();
      const next = quartile + 25;
      const leftMs = (ad.duration * next) / 100 - clock.ms();
      if (leftMs > 0) await pause(leftMs);
      else if (next === 100 && state !== 'granted') await pause();
      else {
        try {
          await report(next);
          early = 0;
        } catch (error) {
          if (!isCallError(error) || error.code !== 'adNotCounted' || ++early > EARLY_TIMES) throw error;
          await pause(EARLY_MS);
        }
      }
    }
    clock.stop();
    const claim = { value: 0, type: PAYMENT_TYPE.freePoints };
    // Without the signal: the ad was watched to its end, so whoever closes the dialog now has its reward as well.
    const { reward } = await patient('checkPaymentFlow', { input: claim });
    if (!reward) throw new Error('An ad was watched and gave nothing');
    return reward;
  };

  const closed = new Promise<never>((_, reject) => {
    leave = reject;
  });
  return {
    events: {
      ready() {
        if (state === 'loading') state = 'ready';
        wake();
      },
      granted() {
        state = 'granted';
        wake();
      },
      closed() {
        if (state !== 'granted') leave(new AdClosed(state === 'loading'));
      },
    },
    watchedMs: () => Math.min(clock.ms(), ad.duration),
    reward: Promise.race([run(), closed]),
  };
}

function stopwatch() {
  let before = 0;
  let since: number | null = null;
  const ms = () => before + (since === null ? 0 : performance.now() - since);
  return {
    ms,
    start() {
      since ??= performance.now();
    },
    stop() {
      before = ms();
      since = null;
    },
  };
}
