import type { Progress, Step } from '../types.ts';

/** Smallest reported change: smaller ones are not visible, and each report is an inter-process message. */
const FINEST = 0.01;

export interface StepTracker {
  /** Enters `step`; `fraction` (0 … 1) refers to the whole conversion. */
  at(step: Step, fraction: number): void;
  /**
   * Ends the last step.
   * @returns milliseconds spent in each step, summed over its visits
   */
  finish(): Partial<Record<Step, number>>;
}

/** Measures the steps and reports them with fractions that never decrease. */
export function trackSteps(onProgress?: (progress: Progress) => void, now = () => performance.now()): StepTracker {
  const times: Partial<Record<Step, number>> = {};
  let step: Step | null = null;
  let since = now();
  let highest = 0;
  let told = -1;
  const close = () => {
    const time = now();
    if (step) times[step] = (times[step] ?? 0) + time - since;
    since = time;
  };
  return {
    at(next, fraction) {
      highest = Math.min(1, Math.max(highest, fraction));
      const entered = next !== step;
      if (entered) {
        close();
        step = next;
      }
      if (entered || highest - told >= FINEST || (highest === 1 && told < 1)) {
        told = highest;
        onProgress?.({ step: next, fraction: highest });
      }
    },
    finish() {
      close();
      step = null;
      return times;
    },
  };
}
