import { expect, test } from 'vitest';
import { movedStrokes } from './moved-strokes.ts';

const whole = { x: 0, y: 0, width: 400, height: 200 };
const source = { width: 400, height: 200 };
const rightHalf = { x: 200, y: 0, width: 200, height: 200 };
const stroke = { kind: 'near', radius: 0.1, amount: 0.5 } as const;

test('a stroke lies on the same thing in another crop, its brush as wide as before', () => {
  const [moved] = movedStrokes([{ ...stroke, points: [[0.75, 0.5]] }], whole, rightHalf, source);
  expect(moved).toEqual({ ...stroke, radius: 0.2, points: [[0.5, 0.5]] });
  expect(movedStrokes([moved ?? { ...stroke, points: [] }], rightHalf, whole, source)).toEqual([
    { ...stroke, points: [[0.75, 0.5]] },
  ]);
});

test('what lies outside is lost: whole strokes, and the way out and back', () => {
  const points = [
    [0.6, 0.5],
    [0.7, 0.5],
    [0.1, 0.5],
    [0.9, 0.5],
  ] as const;
  const moved = movedStrokes(
    [
      { ...stroke, points },
      { ...stroke, points: [[0.2, 0.2]] },
    ],
    whole,
    rightHalf,
    source,
  );
  expect(moved.map((one) => one.points.map(([x]) => Math.round(x * 10) / 10))).toEqual([[0.2, 0.4], [0.8]]);
});

test('a stroke turns with its picture, and back', () => {
  const turned = { x: 0, y: 0, width: 200, height: 400, turn: 90, mirror: true } as const;
  const strokes = [{ ...stroke, points: [[0.25, 0.25]] as [number, number][] }];
  const [moved] = movedStrokes(strokes, whole, turned, source);
  // Mirrored: three quarters from the left, a quarter down; turned clockwise: three quarters of the width, and down.
  expect(moved?.points).toEqual([[0.75, 0.75]]);
  const [back] = movedStrokes(moved ? [moved] : [], turned, whole, source);
  expect(back?.points).toEqual([[0.25, 0.25]]);
});
