import { expect, it } from 'vitest';
import { fileOf, itemOf, OPTIONS } from '../testing.ts';
import { filesOf, sourceOf } from './sources.ts';

const LAYERS = {
  colour: fileOf('colour'),
  depth: fileOf('depth'),
  background: fileOf('background'),
  backgroundDepth: fileOf('backgroundDepth'),
};
const pair = itemOf('a', { files: { main: fileOf('pair', 'sideBySide'), ...LAYERS } });
const named = (item: typeof pair, options: Partial<typeof OPTIONS>, hasDepth = true) => {
  const source = sourceOf(item, { ...OPTIONS, ...options }, hasDepth);
  return source && filesOf(source).map(({ sha256 }) => sha256);
};

it('draws the file of the mode, and from depth what moves or has a strength of its own', () => {
  const layers = Object.keys(LAYERS);
  expect(named(pair, { mode: 'hsbs' })).toEqual(['pair']);
  expect(named(pair, { mode: 'hsbs', strength: 0.5 })).toEqual(layers);
  expect(named(pair, { mode: 'parallax' })).toEqual(layers);
  expect(named(itemOf('a'), { mode: 'flat', strength: 0.5 })).toEqual(['a']);
  // Without depth there is nothing to change.
  expect(named({ ...pair, effect: 0 }, { mode: 'hsbs', strength: 2 })).toEqual(['pair']);
  expect(
    named(itemOf('a', { kind: 'video', files: { main: fileOf('film', 'halfSideBySide') } }), { strength: 2 }),
  ).toEqual(['film']);
  expect(named(itemOf('a', { files: { colour: LAYERS.colour, depth: LAYERS.depth } }), { mode: 'parallax' })).toEqual([
    'colour',
    'depth',
  ]);
  expect(named(itemOf('a', { files: {} }), {})).toBeNull();
});

it('shows the sharpest single view in a browser without WebGL 2 [W28]', () => {
  expect(named(pair, { mode: 'parallax' }, false)).toEqual(['colour']);
  expect(named(itemOf('a'), {}, false)).toEqual(['a']);
  const film = itemOf('a', { kind: 'video', files: { main: fileOf('film', 'halfSideBySide') } });
  const source = sourceOf(film, OPTIONS, false);
  expect(source).toMatchObject({ kind: 'packed', packing: { kind: 'sideBySide', half: true } });
});
