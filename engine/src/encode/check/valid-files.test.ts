import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_NAMES, type Format } from '@framelift/contract/formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICES } from '../../formats/index.ts';
import { createConverter } from '../../process/converter.ts';
import { writeDepth } from '../../process/depth-file.ts';
import { requireBuilt } from '../../testing/built.ts';
import { PANEL } from '../../testing/panel.ts';
import { draw, encoder, type Rgb } from '../../testing/pictures.ts';
import type { DeviceProfile, Picture, PictureRequest } from '../../types.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-valid-files-'));
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

/** Returns numbers from 0 to 1, the same in each run. */
function dice(): () => number {
  let state = 19;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function noise(): Picture {
  const next = dice();
  return draw(1200, 1600, () => [255 * next(), 255 * next(), 255 * next()]);
}

function grainyBox(): Picture {
  const next = dice();
  return draw(3000, 4000, (x, y) => {
    const inBox = x > 900 && x < 2100 && y > 1800 && y < 3680;
    const [r, g, b]: Rgb = inBox ? [205, 90, 70] : y > 2400 ? [120, 110, 90] : [150, 180, 215];
    const grain = (next() - 0.5) * (inBox ? 60 : 30);
    return [r + grain, g + grain, b + grain];
  });
}

/** Converts a picture to formats, and returns those that were written. */
async function converted(
  picture: Picture,
  formats: readonly Format[],
  depth?: PictureRequest['depth'],
): Promise<readonly Format[]> {
  const input = join(folder, 'drawn.jpg');
  writeFileSync(input, await encoder(picture).jpeg({ quality: 88 }).toBuffer());
  const { files } = await converter.convert({
    kind: 'picture',
    input,
    device: DEVICES[0] as DeviceProfile,
    effect: 100,
    outDir: mkdtempSync(join(folder, 'out-')),
    name: 'drawn',
    formats,
    calibration: PANEL,
    ...(depth && { depth }),
  });
  return files.map(({ format }) => format);
}

test.each(pictures)(
  '%s is not taken for a file with exchanged views',
  async (_, drawn) => {
    const formats = ['quilt', 'sbs', 'anaglyph'] as const;
    expect(await converted(drawn(), formats)).toEqual(formats);
  },
  120_000,
);

test.each<[string, () => Picture]>([
  ['a plain sheet', () => draw(600, 800, () => [120, 130, 140])],
  ['a sky that fades downwards', () => draw(600, 800, (_, y) => [y / 4, y / 4, 200])],
  ['fine noise', noise],
  [
    'a chequered cloth as fine as its pixels',
    () => draw(1200, 1600, (x, y) => ((x + y) % 2 ? [250, 250, 250] : [5, 5, 5])),
  ],
])(
  '%s has every format',
  async (_, drawn) => {
    const formats = FORMAT_NAMES;
    expect(await converted(drawn(), formats)).toEqual(formats);
  },
  300_000,
);

test("a member's own depth map as fine as noise has the files that hold depth", async () => {
  const next = dice();
  const path = join(folder, 'depth.png');
  const data = Float32Array.from({ length: 300 * 400 }, next);
  await writeDepth({ data, width: 300, height: 400, source: 'member' }, path);
  const formats = ['rgbd', 'depth'] as const;
  expect(await converted(fence(130), formats, { path, source: 'member' })).toEqual(formats);
}, 120_000);
