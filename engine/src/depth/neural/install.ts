/** Installs model files in their folder: each appears there complete and verified, or not at all. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Returns the folder of installed models; the server reads from the same one. */
export function modelsFolder(): string {
  return join(resolve(process.env['DATA_DIR'] || './data'), 'models');
}

export interface Wanted {
  /** `http:` or `https:`. */
  readonly address: string;
  /** Null when unknown. */
  readonly bytes: number | null;
  readonly sha256: string;
}

export interface DownloadOptions {
  readonly onProgress?: (bytes: number, total: number | null) => void;
  /** Called at each interruption that is followed by a retry. */
  readonly onRetry?: (reason: string) => void;
  /** Pause between two attempts in milliseconds; 2000 by default. */
  readonly pauseMs?: number;
}

/** Download limit when the size is unknown, larger than any depth model: an endless response must not fill the disk. */
const MOST_BYTES = 4 * 2 ** 30;
/** Limit on consecutive attempts without progress. */
const MOST_FRUITLESS = 4;
const PAUSE_MS = 2000;

/** The received file is not the expected one, and a retry would not help. */
export class WrongFileError extends Error {}

/** The server refused the request. */
class RefusedError extends Error {}

/**
 * Downloads a file to `target`. Partial data is kept as `target.part` and resumed by a later call; dropped connections
 * are retried.
 *
 * @throws {WrongFileError} when size or checksum differ; the partial file is deleted
 * @throws Error when the download fails; the partial file is kept
 */
export async function downloadFile(wanted: Wanted, target: string, options: DownloadOptions = {}): Promise<void> {
  const { onRetry, pauseMs = PAUSE_MS } = options;
  const part = `${target}.part`;
  await mkdir(dirname(target), { recursive: true });
  let resumed = (await sizeOf(part)) > 0;
  for (let fruitless = 0; ; ) {
    const before = await sizeOf(part);
    try {
      await fetchRest(wanted, part, options);
      if ((await hashOf(part)) === wanted.sha256) return await moveIn(part, target);
      await discard(part);
      // The parts may come from two different versions: download once more, in one piece.
      if (!resumed)
        throw new WrongFileError(`${wanted.address} is not the file that was expected: its SHA-256 differs.`);
      resumed = false;
    } catch (error) {
      if (error instanceof WrongFileError) {
        await discard(part);
        throw error;
      }
      const size = await sizeOf(part);
      fruitless = size > before ? 0 : fruitless + 1;
      if (error instanceof RefusedError || fruitless >= MOST_FRUITLESS) throw error;
      resumed = size > 0;
      onRetry?.(reasonOf(error));
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  }
}

/** Copies a local file to `target`. @throws {WrongFileError} when its checksum differs */
export async function copyFile(source: string, sha256: string, target: string): Promise<void> {
  const part = `${target}.copy`;
  await mkdir(dirname(target), { recursive: true });
  try {
    await pipeline(createReadStream(source), createWriteStream(part));
    if ((await hashOf(part)) !== sha256)
      throw new WrongFileError(`${source} is not the file that was expected: its SHA-256 differs.`);
    await rename(part, target);
  } finally {
    await rm(part, { force: true });
  }
}

/** Removes a model file and the remains of an interrupted download. @returns whether anything existed */
export async function removeFile(target: string): Promise<boolean> {
  const there = (await sizeOf(target)) > 0 || (await sizeOf(`${target}.part`)) > 0;
  await rm(target, { force: true });
  await discard(`${target}.part`);
  return there;
}

/** Requests the missing bytes and appends them. Returns when the file is complete. */
async function fetchRest({ address, bytes }: Wanted, part: string, { onProgress }: DownloadOptions): Promise<void> {
  let at = await sizeOf(part);
  if (bytes !== null && at === bytes) return;
  const tag = at > 0 ? await readFile(tagFile(part), 'utf8').catch(() => '') : '';
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (at > 0) {
    headers['range'] = `bytes=${at}-`;
    // If the file at this address has changed, the server sends it from the start.
    if (tag) headers['if-range'] = tag;
  }
  const response = await fetch(address, { headers });
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  if (response.status === 416 || (response.status === 206 && Number(range?.[1]) !== at)) {
    await response.body?.cancel();
    await discard(part);
    throw new Error(`${address} cannot go on from byte ${at}`);
  }
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    const answer = `${address} answers ${response.status} ${response.statusText}`;
    const isFinal = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status);
    throw isFinal ? new RefusedError(answer) : new Error(answer);
  }
  if (response.status !== 206) at = 0;
  const left = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = bytes ?? (Number.isFinite(left) ? at + left : null);
  if (bytes !== null && Number.isFinite(left) && at + left !== bytes) {
    await response.body.cancel();
    throw new WrongFileError(`${address} has ${at + left} bytes, not ${bytes}.`);
  }
  const strongTag = response.headers.get('etag') ?? '';
  await writeFile(tagFile(part), strongTag.startsWith('"') ? strongTag : '');
  const limit = total ?? MOST_BYTES;
  // Written chunk by chunk, so that the data received before a dropped connection is on disk.
  const file = await open(part, response.status === 206 ? 'a' : 'w');
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      at += chunk.length;
      if (at > limit) throw new WrongFileError(`${address} sends more than ${limit} bytes.`);
      await file.appendFile(chunk);
      onProgress?.(at, total);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (total !== null && at < total) throw new Error(`${address} ended after ${at} of ${total} bytes`);
}

const tagFile = (part: string) => `${part}.etag`;

async function moveIn(part: string, target: string): Promise<void> {
  await rename(part, target);
  await rm(tagFile(part), { force: true });
}

async function discard(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(tagFile(part), { force: true });
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Returns the message of an error; `fetch` puts the reason into `cause`. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || message : message;
}
