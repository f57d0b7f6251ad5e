/**
 * Where the viewer stands, from −1 (leftmost view) to 1 (rightmost), as pointer, tilt, keyboard and time move it.
 * Pure: the clock is an argument, so that a test needs no waiting.
 */
export interface ViewMotion {
  /** Position shown now. */
  readonly position: number;
  /** Where people last put it. */
  readonly wanted: number;
  /** Milliseconds of the last input; before `SETTLE_MS` have passed since, nothing sways. */
  readonly inputAt: number;
  /** Milliseconds of the last step. */
  readonly at: number;
}

/** Time without input after which the picture begins to sway by itself. */
const SETTLE_MS = 2500;
/** One slow sway from side to side and back. */
const SWAY_MS = 7000;
const SWAY_REACH = 0.85;
/** Time constant with which the position follows. */
const FOLLOW_MS = 110;
/** Device tilt, left or right of upright, that reaches the outermost view. */
const FULL_TILT_DEGREES = 22;

const between = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Standing in the middle, about to sway. */
export const restAt = (now: number): ViewMotion => ({ position: 0, wanted: 0, inputAt: now - SETTLE_MS, at: now });

/** A person moved the view by pointer, tilt or key. */
export function setTarget(motion: ViewMotion, wanted: number, now: number): ViewMotion {
  return { ...motion, wanted: between(wanted, -1, 1), inputAt: now };
}

/**
 * One frame further.
 * @param sways false under reduced motion: then the position stays where it was put
 */
export function advance(motion: ViewMotion, now: number, sways: boolean): ViewMotion {
  const idleFor = now - motion.inputAt - SETTLE_MS;
  // The sway starts from the side of the last input, so that nothing jumps.
  const target =
    sways && idleFor >= 0
      ? SWAY_REACH * Math.sin((idleFor / SWAY_MS) * 2 * Math.PI + phaseOf(motion.wanted))
      : motion.wanted;
  const share = 1 - Math.exp(-Math.max(0, now - motion.at) / FOLLOW_MS);
  return { ...motion, position: motion.position + (target - motion.position) * share, at: now };
}

const phaseOf = (position: number) => Math.asin(between(position / SWAY_REACH, -1, 1));

/** True while another frame would show something else. */
export function isMoving(motion: ViewMotion, sways: boolean): boolean {
  return sways || Math.abs(motion.wanted - motion.position) > 0.002;
}

/** Pointer position over an element, from its left edge, as a position of the viewer. */
export function positionOfPointer(x: number, width: number): number {
  return width > 0 ? between((x / width) * 2 - 1, -1, 1) : 0;
}

/**
 * Device tilt as a position of the viewer.
 * @param gamma,beta degrees of a deviceorientation event
 * @param screenAngle degrees that the screen is turned from its natural position
 */
export function positionOfTilt(gamma: number, beta: number, screenAngle: number): number {
  const sideways = screenAngle === 90 ? beta : screenAngle === 270 ? -beta : gamma;
  return between(sideways / FULL_TILT_DEGREES, -1, 1);
}

/** Milliseconds that the sweep shows each view of a quilt. */
const VIEW_MS = 55;

/** View number (0 leftmost) that a sweep there and back shows after `elapsed` milliseconds. */
export function viewOfSweep(elapsed: number, views: number): number {
  if (views < 2) return 0;
  const period = 2 * (views - 1);
  const step = Math.floor(Math.max(0, elapsed) / VIEW_MS) % period;
  return step < views ? step : period - step;
}
