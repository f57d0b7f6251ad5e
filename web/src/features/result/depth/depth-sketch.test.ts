import { applyStrokes, type PaintGuide, type Stroke } from '@framelift/engine/edit';
import { expect, it } from 'vitest';
import { DepthSketch, extended, pointOf } from './depth-sketch.ts';

const size = { width: 60, height: 80 };
const depth = { ...size, data: Uint8Array.from({ length: 60 * 80 }, (_, i) => 40 + Math.floor(i / 60)) };
const guide: PaintGuide = { ...size, channels: 4, data: new Uint8ClampedArray(4 * 60 * 80).fill(120) };
const stroke = (kind: Stroke['kind'], x: number): Stroke => ({
  kind,
  radius: 0.2,
  amount: 0.3,
  points: [
    [x, 0.3],
    [x, 0.6],
  ],
});
const strokes = Array.from({ length: 12 }, (_, i) => stroke(i % 3 === 0 ? 'far' : 'near', (i + 1) / 13));

it('shows what the server makes of the same strokes', () => {
  const sketch = new DepthSketch(depth, guide);
  for (const one of strokes.slice(0, 3)) sketch.add(one);
  const onServer = applyStrokes(
    Float32Array.from(depth.data, (value) => value / 255),
    size,
    guide,
    strokes.slice(0, 3),
  );
  expect(sketch.image().data).toEqual(Uint8Array.from(onServer, (value) => Math.round(value * 255)));
});

it('shows a stroke while it is drawn without keeping it', () => {
  const sketch = new DepthSketch(depth, guide);
  const [one] = strokes as [Stroke];
  const drawn = sketch.preview(one);
  expect(drawn.data).not.toEqual(depth.data);
  expect(sketch.image().data).toEqual(depth.data);
  sketch.add(one);
  expect(sketch.image().data).toEqual(drawn.data);
});

it('takes every stroke back, also those that were painted long ago, and makes them again', () => {
  const sketch = new DepthSketch(depth, guide);
  const seen = [sketch.image().data];
  for (const one of strokes) {
    sketch.add(one);
    seen.push(sketch.image().data);
  }
  for (let count = strokes.length - 1; count >= 0; count--) {
    sketch.undo();
    expect(sketch.image().data, `after ${count} strokes`).toEqual(seen[count]);
  }
  expect(sketch.strokes).toEqual([]);
  sketch.undo();
  for (let count = 1; count <= strokes.length; count++) {
    expect(sketch.canRedo).toBe(true);
    sketch.redo();
    expect(sketch.image().data, `again with ${count} strokes`).toEqual(seen[count]);
  }
  expect(sketch.canRedo).toBe(false);
});

it('forgets what was taken back once something new is painted', () => {
  const sketch = new DepthSketch(depth, guide);
  sketch.add(strokes[0] as Stroke);
  sketch.undo();
  sketch.add(strokes[1] as Stroke);
  expect(sketch.canRedo).toBe(false);
  expect(sketch.strokes).toEqual([strokes[1]]);
});

it('keeps the points that say something, within the picture', () => {
  expect(pointOf(-0.2, 0.123_456)).toEqual([0, 0.1235]);
  const line = extended([], [0.5, 0.5], 0.2);
  expect(extended(line, [0.51, 0.5], 0.2)).toBe(line);
  expect(extended(line, [0.6, 0.5], 0.2)).toHaveLength(2);
});
