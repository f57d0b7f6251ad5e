import type { TimeBase } from './av.ts';

/** Default ticks per second of written files: all usual frame times are integers in it. */
const USUAL_TICKS = 90_000;
const FEWEST_TICKS = 10_000;
const MOST_TICKS = 1_000_000;

/**
 * Returns the ticks per second of the written video. Source timestamps stay exact if the source clock is reasonable.
 */
export function clockFor({ den }: TimeBase): number {
  if (USUAL_TICKS % den === 0 || den > MOST_TICKS) return USUAL_TICKS;
  return den * Math.max(1, Math.ceil(FEWEST_TICKS / den));
}

/** Largest number of frames with the same time that are held back to be spread. */
const LARGEST_GROUP = 4;

/**
 * Assigns strictly increasing times to frames. Frames with equal or decreasing times are spread evenly up to the next
 * later one; all others keep their times.
 */
export class RisingTimes<T> {
  #group: T[] = [];
  #time = 0;
  #last = -1;
  /** Ticks between frames, used at the end of the video and for groups without an end. */
  readonly #step: number;

  constructor(step: number) {
    this.#step = Math.max(1, Math.round(step));
  }

  /**
   * Adds a frame.
   * @returns the frames whose times are now known
   */
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
