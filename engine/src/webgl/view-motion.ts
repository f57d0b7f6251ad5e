/**
 * Viewer position from −1 (leftmost view) to 1 (rightmost), controlled by pointer, tilt, keyboard and time. Pure: the
 * clock is an argument, so that tests need no waiting.
 */
export interface ViewMotion {
  /** Position currently shown. */
  readonly position: number;
  /** Position last set by the user. */
  readonly wanted: number;
  /** Time of the last input in milliseconds; the view sways only after `SETTLE_MS` without input. */
  readonly inputAt: number;
  /** Time of the last step in milliseconds. */
  readonly at: number;
}

/** Idle time in milliseconds after which the picture begins to sway. */
export const SETTLE_MS = 2500;
/** Period of one sway from side to side and back, in milliseconds. */
export const SWAY_MS = 7000;
export const SWAY_REACH = 0.85;
/** Time constant with which the position follows its target, in milliseconds. */
const FOLLOW_MS = 110;
/** Device tilt from upright, left or right, that reaches the outermost view. */
const FULL_TILT_DEGREES = 22;

const between = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Returns the initial state: at the centre, about to sway. */
export const restAt = (now: number): ViewMotion => ({ position: 0, wanted: 0, inputAt: now - SETTLE_MS, at: now });

/** Sets the position from pointer, tilt or key input. */
export function setTarget(motion: ViewMotion, wanted: number, now: number): ViewMotion {
  return { ...motion, wanted: between(wanted, -1, 1), inputAt: now };
}

/**
 * Advances by one frame.
 * @param sways false under reduced motion: the position then stays where it was set
 */
export function advance(motion: ViewMotion, now: number, sways: boolean): ViewMotion {
  const idleFor = now - motion.inputAt - SETTLE_MS;
  // The sway starts at the position of the last input, so that the view does not jump.
  const target =
    sways && idleFor >= 0
      ? SWAY_REACH * Math.sin((idleFor / SWAY_MS) * 2 * Math.PI + phaseOf(motion.wanted))
      : motion.wanted;
  const share = 1 - Math.exp(-Math.max(0, now - motion.at) / FOLLOW_MS);
  return { ...motion, position: motion.position + (target - motion.position) * share, at: now };
}

const phaseOf = (position: number) => Math.asin(between(position / SWAY_REACH, -1, 1));

/** True while the next frame would look different. */
export function isMoving(motion: ViewMotion, sways: boolean): boolean {
  return sways || Math.abs(motion.wanted - motion.position) > 0.002;
}

/** Converts a pointer's distance from the left edge of an element to a viewer position. */
export function positionOfPointer(x: number, width: number): number {
  return width > 0 ? between((x / width) * 2 - 1, -1, 1) : 0;
}

/**
 * Converts device tilt to a viewer position.
 * @param gamma,beta degrees of a deviceorientation event
 * @param screenAngle rotation of the screen from its natural orientation, in degrees
 */
export function positionOfTilt(gamma: number, beta: number, screenAngle: number): number {
  const sideways = screenAngle === 90 ? beta : screenAngle === 270 ? -beta : gamma;
  return between(sideways / FULL_TILT_DEGREES, -1, 1);
}

/** Milliseconds for which the sweep shows each view of a quilt. */
const VIEW_MS = 55;

/** Returns the view number (0 leftmost) after `elapsed` milliseconds of a sweep back and forth. */
export function viewOfSweep(elapsed: number, views: number): number {
  if (views < 2) return 0;
  const period = 2 * (views - 1);
  const step = Math.floor(Math.max(0, elapsed) / VIEW_MS) % period;
  return step < views ? step : period - step;
}
