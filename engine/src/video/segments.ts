import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { FORMATS, type VideoFormat } from '@framelift/contract/formats';
import { LIMITS } from '@framelift/contract/limits';
import type { VideoRequest } from '../types.ts';
import type { PacketEntry } from './encode.ts';
import type { Eye } from './eye.ts';

/** All sources of the engine: another version may render differently and save a different state. */
const SOURCES = fileURLToPath(new URL('..', import.meta.url));

export interface Segment {
  readonly packets: readonly PacketEntry[];
  /** Codec header of the encoder, base64. */
  readonly extradata: string;
  /** Time of the last frame in ticks; the next frame is later. */
  readonly lastTime: number;
  /** Duration of the last frame in ticks; 0 if the file does not tell. */
  readonly lastDuration: number;
  /** Thumbprint of the first frame, for the final check. */
  readonly thumbprint: readonly number[];
  readonly damagedPackets: number;
}

/** Finished segments of one video, in a folder that persists across crashes. */
export interface Segments {
  readonly finished: readonly Segment[];
  /** Renderer state after the last finished segment; null at the start of the video. */
  rendererState(): Promise<Uint8Array | null>;
  /** Path for the bytes of the next segment. */
  nextFile(): string;
  /** Marks a segment as finished, once its bytes are written. */
  add(segment: Segment, rendererState: Uint8Array): Promise<void>;
  fileOf(index: number): string;
}

/**
 * Finds the finished segments, up to a number. Removes the others, and those of another request, another video or another
 * build.
 */
export async function openSegments(workDir: string, key: string, most = Number.POSITIVE_INFINITY): Promise<Segments> {
  await mkdir(workDir, { recursive: true });
  const finished: Segment[] = [];
  while (finished.length < most) {
    const found = await read(listOf(workDir, finished.length), key);
    if (!found) break;
    finished.push(found);
  }
  // A segment without the renderer state is useless: the next one could not continue from it.
  while (finished.length > 0 && !existsSync(stateOf(workDir, finished.length - 1))) finished.pop();
  const keep = new Set(finished.flatMap((_, i) => [nameOf(i, 'json'), nameOf(i, 'video'), nameOf(i, 'state')]));
  for (const name of await readdir(workDir))
    if (/^segment-\d+\./.test(name) && !keep.has(name)) await rm(join(workDir, name), { force: true });
  return {
    finished,
    nextFile: () => fileOf(workDir, finished.length),
    fileOf: (index) => fileOf(workDir, index),
    rendererState: () =>
      finished.length === 0 ? Promise.resolve(null) : readFile(stateOf(workDir, finished.length - 1)),
    async add(segment, rendererState) {
      const index = finished.length;
      await writeToDisk(stateOf(workDir, index), rendererState);
      await writeToDisk(listOf(workDir, index), JSON.stringify({ key, segment }));
      finished.push(segment);
      // Keeps one more than needed: after a power failure the newest may be incomplete.
      if (index > 1) await rm(stateOf(workDir, index - 2), { force: true });
    },
  };
}

/** Writes a file and syncs it to disk; it is complete under its name or absent. */
async function writeToDisk(path: string, data: string | Uint8Array): Promise<void> {
  const part = `${path}.part`;
  const file = await open(part, 'w');
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}

async function read(path: string, key: string): Promise<Segment | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const stored = JSON.parse(text) as { key: string; segment: Segment };
    return stored.key === key ? stored.segment : null;
  } catch {
    // Truncated by a power failure.
    return null;
  }
}

const nameOf = (index: number, ending: 'json' | 'video' | 'state') =>
  `segment-${String(index).padStart(5, '0')}.${ending}`;
const fileOf = (workDir: string, index: number) => join(workDir, nameOf(index, 'video'));
const stateOf = (workDir: string, index: number) => join(workDir, nameOf(index, 'state'));
const listOf = (workDir: string, index: number) => join(workDir, nameOf(index, 'json'));

/** Returns a hash of a video and everything that affects its result; paths do not count. */
export async function requestKey(
  request: VideoRequest,
  found: { readonly eye: Eye | null; readonly model: string | undefined; readonly formats: readonly VideoFormat[] },
): Promise<string> {
  const hash = createHash('sha256');
  const { device, effect, tier, crop, convergence, swapEyes, anaglyph, ground } = request;
  const given = { device, effect, tier, crop, convergence, swapEyes, anaglyph, ground };
  for (const name of (await readdir(SOURCES, { recursive: true })).sort())
    if (/\.(ts|as)$/.test(name) && !name.endsWith('.test.ts')) hash.update(await readFile(join(SOURCES, name)));
  hash.update(JSON.stringify({ ...given, ...found, FORMATS, LIMITS }));
  await pipeline(createReadStream(request.input), hash);
  return hash.digest('hex');
}
