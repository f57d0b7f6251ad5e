// @vitest-environment happy-dom
import type { FrameOptions, PlaylistItem } from '@framelift/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fileOf, itemOf, playlistOf } from '../testing.ts';
import type { Downloads } from './downloads.ts';
import { createPlayer, type Player, type Scene } from './player.ts';
import { createReport, type Report } from './report.ts';
import type { Slide, Stage } from './stage.ts';

/** The screen, which needs a GPU and real videos: here a list of what would be on it. */
let screen: string[];
let alive: Set<string>;
let here: Set<string>;
let broken: Set<string>;
/** Seconds that the videos have played. */
let played: number;
let ended: boolean;
let soundIsAllowed: boolean;
let prepared: string[];
let scene: Scene;
let report: Report;
let player: Player;

beforeEach(() => {
  // 20:00 in Taipei.
  vi.useFakeTimers({ now: new Date('2026-01-10T12:00:00Z') });
  screen = [];
  alive = new Set();
  here = new Set(['a', 'b', 'c', 'v']);
  broken = new Set();
  played = 0;
  ended = false;
  soundIsAllowed = true;
  prepared = [];
  report = createReport(
    () => new Date().toISOString(),
    () => {},
  );
  let count = 0;
  const stage: Stage = {
    hasDepth: true,
    setLook() {},
    async prepare(item) {
      prepared.push(item.id);
      if (broken.has(item.id)) throw new Error('odd bytes');
      const name = `${item.id} ${count++}`;
      alive.add(name);
      return slideOf(item, name);
    },
    async show(slide) {
      screen.push(slide.item.id);
    },
    clear: () => screen.push('-'),
    health: () => ({ drawnAt: 0, isDue: false }),
  };
  const downloads: Downloads = {
    want() {},
    has: (sha256) => here.has(sha256),
    read: async () => new Blob(),
    isComplete: () => true,
    retry() {},
    stop() {},
  };
  player = createPlayer({ stage, downloads, report, show: (next) => (scene = next), random: () => 0 });
});
afterEach(async () => {
  player.stop();
  await pass(2);
  // Whatever happened, nothing stays on the GPU.
  expect([...alive]).toEqual([]);
  vi.useRealTimers();
});

function slideOf(item: PlaylistItem, name: string): Slide {
  return {
    item,
    isVideo: item.kind === 'video',
    async start(withSound) {
      ended = false;
      played = 0;
      return withSound && soundIsAllowed;
    },
    pause() {},
    playedSeconds: () => played,
    hasEnded: () => ended,
    dispose: () => alive.delete(name),
  };
}
const video = itemOf('v', { kind: 'video', seconds: 30 });
const play = (items: readonly PlaylistItem[], options: Partial<FrameOptions> = {}) => {
  player.setPlaylist(playlistOf(items, options));
  return pass(0);
};
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

it('shows each picture for its interval, with the next one decoded before the change [A93]', async () => {
  await play([itemOf('a'), itemOf('b'), itemOf('c')]);
  expect([screen, scene.kind, scene.item?.name]).toEqual([['a'], 'playing', 'Picture a']);
  await pass(9);
  expect([screen, prepared]).toEqual([['a'], ['a', 'b']]);
  await pass(2);
  expect(screen).toEqual(['a', 'b']);
  await pass(22);
  expect(screen).toEqual(['a', 'b', 'c', 'a']);
  // Only what is shown and what comes next is held.
  expect(alive.size).toBeLessThanOrEqual(2);
});

it('takes a removed picture away at once and plays a new one in its turn [A91]', async () => {
  await play([itemOf('a'), itemOf('b')]);
  await pass(2);
  await play([itemOf('b'), itemOf('c')]);
  expect(screen).toEqual(['a', 'b']);
  await pass(11);
  expect(screen).toEqual(['a', 'b', 'c']);
  await play([]);
  expect([screen.slice(-1), scene.kind]).toEqual([['-'], 'empty']);
});

it('leaves out what is not here yet or cannot be shown, reports it once, and tries it again later', async () => {
  broken.add('b');
  here.delete('c');
  await play([itemOf('a'), itemOf('b'), itemOf('c')]);
  await pass(65);
  expect(new Set(screen)).toEqual(new Set(['a']));
  expect(prepared.filter((id) => id === 'b')).toHaveLength(1);
  expect(report.take().body.problems).toEqual([{ item: 'b', code: 'notDecoded', detail: 'odd bytes' }]);
  here.add('c');
  player.filesChanged();
  await pass(11);
  expect(screen.slice(-1)).toEqual(['c']);
  broken.delete('b');
  await pass(11 * 60);
  expect(screen).toContain('b');
});

it('decodes the one after the next where the next cannot be decoded', async () => {
  broken.add('b');
  await play([itemOf('a'), itemOf('b'), itemOf('c')]);
  await pass(9);
  expect([screen, prepared]).toEqual([['a'], ['a', 'b', 'c']]);
  await pass(2);
  expect([screen, prepared]).toEqual([
    ['a', 'c'],
    ['a', 'b', 'c'],
  ]);
});

it('says that nothing can be shown, or that pictures are on their way', async () => {
  here.clear();
  await play([itemOf('a')]);
  expect(scene.kind).toBe('loading');
  broken.add('a');
  here.add('a');
  player.filesChanged();
  await pass(2);
  expect(scene.kind).toBe('broken');
});

it('plays a video to its end and then goes on, and skips one that stands still', async () => {
  await play([video, itemOf('a')]);
  for (let second = 1; second <= 30; second++) {
    played = second;
    await pass(1);
  }
  expect(screen).toEqual(['v']);
  ended = true;
  await pass(1);
  expect(screen).toEqual(['v', 'a']);
  await pass(11);
  expect(screen).toEqual(['v', 'a', 'v']);
  played = 3;
  await pass(15);
  expect(screen.slice(-1)).toEqual(['a']);
  expect(report.take().body.problems).toMatchObject([{ item: 'v', code: 'stalled' }]);
});

it('plays sound only if it is wished, and after a touch where the browser demands one', async () => {
  await play([video]);
  expect(scene.sound).toBe('off');
  soundIsAllowed = false;
  player.toggleSound();
  await pass(0);
  expect(scene.sound).toBe('blocked');
  soundIsAllowed = true;
  player.touched();
  await pass(0);
  expect(scene.sound).toBe('on');
  player.toggleSound();
  await pass(0);
  expect(scene.sound).toBe('off');
});

it('is dark in its sleeping hours, holds nothing then, and goes on in the morning [A95]', async () => {
  await play([itemOf('a'), itemOf('b')], { sleep: { from: '20:01', to: '20:10' } });
  expect(screen).toEqual(['a']);
  await pass(61);
  expect([scene.kind, screen.slice(-1), alive.size]).toEqual(['asleep', ['-'], 0]);
  player.next();
  await pass(7 * 60);
  expect(scene.kind).toBe('asleep');
  await pass(2 * 60);
  expect(scene.kind).toBe('playing');
});

it('stops, goes on and turns by hand', async () => {
  await play([itemOf('a'), itemOf('b'), itemOf('c')]);
  player.togglePause();
  await pass(60);
  expect([screen, scene.paused]).toEqual([['a'], true]);
  player.next();
  await pass(1);
  player.next();
  await pass(1);
  player.previous();
  await pass(1);
  expect(screen).toEqual(['a', 'b', 'c', 'b']);
  player.togglePause();
  await pass(11);
  expect(screen.slice(-1)).toEqual(['c']);
});

it('prepares what is shown anew when its mode, its files or the GPU change, and keeps a single picture otherwise', async () => {
  await play([itemOf('a')]);
  await pass(60);
  expect(prepared).toEqual(['a']);
  await play([itemOf('a')], { mode: 'anaglyph' });
  expect(prepared).toEqual(['a', 'a']);
  here.add('a2');
  await play([itemOf('a', { files: { main: fileOf('a2') } })], { mode: 'anaglyph' });
  player.rebuild();
  await pass(1);
  expect(prepared).toHaveLength(4);
  player.drawingFailed(new Error('no memory'));
  await pass(1);
  expect(scene.kind).toBe('broken');
  expect(report.take().body.problems).toMatchObject([{ item: 'a', code: 'other', detail: 'no memory' }]);
});
