import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICES } from '../../formats/index.ts';
import { createConverter } from '../../process/converter.ts';
import { requireBuilt } from '../../testing/built.ts';
import { draw, encoder, type Rgb } from '../../testing/pictures.ts';
import type { DeviceProfile, Picture } from '../../types.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-direction-'));
const converter = createConverter({ processes: 1, memoryLimitMb: 3000, timeLimitMs: 120_000 });
beforeAll(requireBuilt);
afterAll(async () => {
  await converter.close();
  rmSync(folder, { recursive: true });
});

/** Pictures in which exchanged views fit as well as the right ones, or by chance better. */
const pictures: [name: string, drawn: () => Picture][] = [
  ['a fence with narrow bars', () => fence(20)],
  ['a fence with wide bars', () => fence(130)],
  ['a plain box before a plain wall, with grain', grainyBox],
];

function fence(period: number): Picture {
  return draw(1500, 2000, (x, y) => {
    if (x % period < period / 4) return [60, 60, 60];
    return y > 1100 ? [150, 120, 60] : [210, 210, 231];
  });
}

function grainyBox(): Picture {
  let state = 19;
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff - 0.5;
  };
  return draw(3000, 4000, (x, y) => {
    const inBox = x > 900 && x < 2100 && y > 1800 && y < 3680;
    const [r, g, b]: Rgb = inBox ? [205, 90, 70] : y > 2400 ? [120, 110, 90] : [150, 180, 215];
    const grain = noise() * (inBox ? 60 : 30);
    return [Math.min(255, r + grain), g + grain, b + grain];
  });
}

test.each(pictures)(
  '%s is not taken for a file with exchanged views',
  async (_, drawn) => {
    const input = join(folder, 'drawn.jpg');
    writeFileSync(input, await encoder(drawn()).jpeg({ quality: 88 }).toBuffer());
    const { files } = await converter.convert({
      kind: 'picture',
      input,
      device: DEVICES[0] as DeviceProfile,
      effect: 100,
      outDir: mkdtempSync(join(folder, 'out-')),
      name: 'drawn',
      formats: ['quilt', 'sbs', 'anaglyph'],
    });
    expect(files.map(({ format }) => format)).toEqual(['quilt', 'sbs', 'anaglyph']);
  },
  120_000,
);
