import { describe, expect, it } from 'vitest';
import {
  advance,
  isMoving,
  positionOfPointer,
  positionOfTilt,
  restAt,
  setTarget,
  type ViewMotion,
  viewOfSweep,
} from './view-motion.ts';

/** Advances in frames of 16 ms, starting at `motion`. */
function play(motion: ViewMotion, ms: number, sways: boolean): ViewMotion {
  let now = motion.at;
  let moved = motion;
  for (const end = now + ms; now < end; now += 16) moved = advance(moved, now, sways);
  return moved;
}

describe('the viewer', () => {
  it('follows the pointer from the left edge (−1) to the right edge (1)', () => {
    expect(positionOfPointer(0, 300)).toBe(-1);
    expect(positionOfPointer(150, 300)).toBe(0);
    expect(positionOfPointer(400, 300)).toBe(1);
    expect(positionOfPointer(10, 0)).toBe(0);
  });

  it('comes to where it was put and stays there for a while', () => {
    const put = setTarget(restAt(0), 0.8, 0);
    expect(play(put, 1500, true).position).toBeCloseTo(0.8, 2);
  });

  it('sways by itself when left alone, never beyond the outermost views', () => {
    let motion = restAt(0);
    const seen: number[] = [];
    for (let now = 0; now < 8000; now += 16) {
      motion = advance(motion, now, true);
      seen.push(motion.position);
    }
    expect(Math.max(...seen)).toBeGreaterThan(0.7);
    expect(Math.min(...seen)).toBeLessThan(-0.7);
    expect(Math.max(...seen.map(Math.abs))).toBeLessThanOrEqual(1);
  });

  it('begins to sway from where it was put, without a jump', () => {
    let motion = play(setTarget(restAt(0), 0.6, 0), 2400, true);
    for (let now = motion.at + 16; now < 2700; now += 16) {
      const next = advance(motion, now, true);
      expect(Math.abs(next.position - motion.position)).toBeLessThan(0.05);
      motion = next;
    }
  });

  it('stands still under reduced motion once it has arrived', () => {
    const motion = play(setTarget(restAt(0), -0.5, 0), 60_000, false);
    expect(motion.position).toBeCloseTo(-0.5, 2);
    expect(isMoving(motion, false)).toBe(false);
    expect(play(restAt(0), 60_000, false).position).toBe(0);
  });

  it('is moved by tilting, whichever way the screen is held', () => {
    expect(positionOfTilt(11, 0, 0)).toBeCloseTo(0.5);
    expect(positionOfTilt(0, 11, 90)).toBeCloseTo(0.5);
    expect(positionOfTilt(0, -11, 270)).toBeCloseTo(0.5);
    expect(positionOfTilt(-90, 0, 0)).toBe(-1);
  });
});

describe('the sweep over the views of a quilt', () => {
  it('shows each view in turn, there and back, never out of range', () => {
    const shown = new Set<number>();
    let before = 0;
    for (let ms = 0; ms < 20_000; ms += 10) {
      const view = viewOfSweep(ms, 48);
      expect(Math.abs(view - before)).toBeLessThanOrEqual(1);
      shown.add(view);
      before = view;
    }
    expect([...shown].sort((a, b) => a - b)).toEqual(Array.from({ length: 48 }, (_, view) => view));
  });

  it('has nothing to sweep with one view', () => {
    expect(viewOfSweep(5000, 1)).toBe(0);
  });
});
