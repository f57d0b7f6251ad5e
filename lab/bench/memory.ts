/**
 * Measures whether the memory of a conversion process grows with the number of conversions [T14]:
 * `npm run bench:memory -- [COUNT]`. Converts ten photos of 12 megapixels in turn, in one process as on the
 * server, and prints what the process holds after each ten.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { DEVICES } from '../../engine/src/formats/index.ts';
import { createConverter } from '../../engine/src/process/converter.ts';
import { distFile } from '../../engine/src/render/dist.ts';

const PHOTOS = [
  'book_beside_flowers.jpg',
  'cyclamen_persicum.jpg',
  'denali.webp',
  'japanese_shop.jpg',
  'phone.heic',
  'prairie_falcon.jpg',
  'silver_fir.jpg',
  'spatial.heic',
  'srgb_8bit.avif',
  'tanners_ridge.jpg',
];
const PIXELS = 12e6;
/** After a conversion the process collects its garbage. */
const SETTLE_MS = 300;

const count = Number(process.argv[2] ?? 100);
if (!(count >= PHOTOS.length)) throw new Error(`COUNT is at least ${PHOTOS.length}: memory is read after each ten`);
const folder = join(distFile('.'), '../../../shared/data/photos');
const device = DEVICES.find(({ slug }) => slug === 'looking-glass-portrait');
if (!device) throw new Error('the device list lacks the Portrait');
const scratch = mkdtempSync(join(tmpdir(), 'framelift-memory-'));
const converter = createConverter({ processes: 1, memoryLimitMb: 4096, timeLimitMs: 300_000 });
try {
  const inputs = await Promise.all(PHOTOS.map(enlarged));
  const held: number[] = [];
  for (let i = 1; i <= count; i++) {
    const outDir = mkdtempSync(join(scratch, 'out-'));
    const input = inputs[(i - 1) % inputs.length] as string;
    await converter.convert({ kind: 'picture', input, outDir, device, effect: 100, name: 'photo', preview: true });
    rmSync(outDir, { recursive: true });
    if (i % PHOTOS.length !== 0) continue;
    await wait(SETTLE_MS);
    held.push(residentMb());
    process.stdout.write(`after ${i}: ${held.at(-1)} MB\n`);
  }
  const [tenth = 0] = held;
  const change = (100 * ((held.at(-1) ?? 0) - tenth)) / tenth;
  process.stdout.write(`change after the tenth: ${change.toFixed(1)} %\n`);
} finally {
  await converter.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** Writes a photo with 12 megapixels; HEIC and AVIF stay as their cameras made them. */
async function enlarged(name: string): Promise<string> {
  const source = join(folder, name);
  if (/heic|avif/.test(name)) return source;
  const path = join(scratch, `${name}.jpg`);
  const { width, height } = await sharp(source).metadata();
  const scale = Math.sqrt(PIXELS / (width * height));
  await sharp(source)
    .resize(Math.round(width * scale))
    .jpeg({ quality: 92 })
    .toFile(path);
  return path;
}

/** Returns the resident memory of the conversion process, the only child of this one, in MB. */
function residentMb(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  if (children.length !== 1) throw new Error(`${children.length} children`);
  const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${children[0]}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
