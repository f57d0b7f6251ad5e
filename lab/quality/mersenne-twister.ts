/**
 * The random numbers of numpy's `RandomState(seed).randint`, so that pixel pairs are the same as in the reference
 * scoring. MT19937: Matsumoto and Nishimura, http://www.math.sci.hiroshima-u.ac.jp/m-mat/MT/emt.html
 */
export class MersenneTwister {
  readonly #state = new Uint32Array(624);
  #at = 624;

  constructor(seed: number) {
    this.#state[0] = seed;
    for (let i = 1; i < 624; i++) {
      const before = this.#state[i - 1] as number;
      this.#state[i] = Math.imul(1_812_433_253, before ^ (before >>> 30)) + i;
    }
  }

  /** Returns an integer 0 … 2^32 − 1. */
  next(): number {
    if (this.#at === 624) this.#twist();
    let y = this.#state[this.#at++] as number;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** Returns an integer 0 … `limit` − 1 by rejection sampling with as few bits as the limit needs. */
  below(limit: number): number {
    const mask = 2 ** (32 - Math.clz32(limit - 1)) - 1;
    for (;;) {
      const value = (this.next() & mask) >>> 0;
      if (value < limit) return value;
    }
  }

  #twist(): void {
    const state = this.#state;
    for (let i = 0; i < 624; i++) {
      const y = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % 624] as number) & 0x7fffffff);
      state[i] = (state[(i + 397) % 624] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.#at = 0;
  }
}
