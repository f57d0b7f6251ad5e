import { EngineError } from '../errors.ts';
import type { RunOptions } from '../render/pool.ts';

/** Steps of one export with their approximate shares of its time. */
const SHARES = { layers: 0.3, views: 0.25, pack: 0.35, check: 0.1 } as const;
export type ExportStep = keyof typeof SHARES;

export interface ExportHooks {
  /** `fraction` is 0 … 1 over the whole export and never decreases. */
  onProgress?(step: ExportStep, fraction: number): void;
  readonly signal?: AbortSignal;
}

/** Reports the progress of one export and stops it on cancellation. */
export class Steps {
  readonly #hooks: ExportHooks;
  #highest = 0;
  constructor(hooks: ExportHooks) {
    this.#hooks = hooks;
  }

  /**
   * Reports progress; `done` is the share of this step, 0 … 1.
   * @throws {EngineError} `conversionCancelled`
   */
  at(step: ExportStep, done: number): void {
    if (this.#hooks.signal?.aborted) throw new EngineError('conversionCancelled', `cancelled at ${step}`);
    let before = 0;
    for (const [name, share] of Object.entries(SHARES)) {
      if (name === step) break;
      before += share;
    }
    this.#highest = Math.max(this.#highest, before + done * SHARES[step]);
    this.#hooks.onProgress?.(step, Math.min(1, this.#highest));
  }

  /** Returns options for a pool run that covers the part `from` … `to` of a step. */
  options(step: ExportStep, from: number, to: number): RunOptions {
    return {
      signal: this.#hooks.signal,
      onProgress: (fraction) => this.at(step, from + (to - from) * fraction),
    };
  }
}
