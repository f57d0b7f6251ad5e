/** Seeded random numbers (mulberry32): the same on every machine, so that findings can be reproduced. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns 0 … 1, exclusive of 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer 0 … `limit` − 1. */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  pick<T>(things: readonly T[]): T {
    return things[this.below(things.length)] as T;
  }

  /** Returns an integer 1 … `limit`, small ones more often than large ones. */
  length(limit: number): number {
    return 1 + Math.floor(Math.max(0, limit - 1) * this.share() ** 4);
  }
}
