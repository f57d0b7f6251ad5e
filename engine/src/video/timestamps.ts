import type { TimeBase } from './av.ts';

/** Ticks a second of files that we write: all usual frame times are whole numbers in it. */
const USUAL_TICKS = 90_000;
const FEWEST_TICKS = 10_000;
const MOST_TICKS = 1_000_000;

/** The clock of the written video: times of the source stay exact in it wherever its own clock is sane. */
export function clockFor({ den }: TimeBase): number {
  if (USUAL_TICKS % den === 0 || den > MOST_TICKS) return USUAL_TICKS;
  return den * Math.max(1, Math.ceil(FEWEST_TICKS / den));
}

/** How many things with the same time are kept back at most to be spread. */
const LARGEST_GROUP = 4;

/**
 * Gives frames strictly rising times. Frames that came with equal or falling times are spread evenly up to the next
 * later one; all others keep their own.
 */
export class RisingTimes<T> {
  #group: T[] = [];
  #time = 0;
  #last = -1;
  /** Ticks from frame to frame, used at the end of the video and for groups that do not end. */
  readonly #step: number;

  constructor(step: number) {
    this.#step = Math.max(1, Math.round(step));
  }

  /** @returns what can be placed now that the time of the next is known */
  add(one: T, time: number): { readonly one: T; readonly time: number }[] {
    if (this.#group.length === 0) {
      this.#group = [one];
      this.#time = time;
      return [];
    }
    if (time <= this.#time && this.#group.length < LARGEST_GROUP) {
      this.#group.push(one);
      return [];
    }
    const until = time > this.#time ? time : this.#time + this.#step * this.#group.length;
    const placed = this.#place(until);
    this.#group = [one];
    this.#time = Math.max(time, until);
    return placed;
  }

  end(): { readonly one: T; readonly time: number }[] {
    return this.#place(this.#time + this.#step * this.#group.length);
  }

  #place(until: number) {
    const group = this.#group;
    this.#group = [];
    const from = Math.max(this.#time, this.#last + 1);
    return group.map((one, i) => {
      const time = Math.max(from + Math.floor(((until - from) * i) / group.length), this.#last + 1);
      this.#last = time;
      return { one, time };
    });
  }
}
