/** Puts model files into their folder: each appears there complete and verified, or not at all. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The folder of installed models; the server looks in the same one. */
export function modelsFolder(): string {
  return join(resolve(process.env['DATA_DIR'] || './data'), 'models');
}

export interface Wanted {
  /** `http:` or `https:`. */
  readonly address: string;
  /** Null where nobody knows. */
  readonly bytes: number | null;
  readonly sha256: string;
}

export interface DownloadOptions {
  readonly onProgress?: (bytes: number, total: number | null) => void;
  /** Called at each interruption that is followed by another try. */
  readonly onRetry?: (reason: string) => void;
  /** Between two tries; 2 seconds by default. */
  readonly pauseMs?: number;
}

/** Larger than any depth model: a server that sends without end must not fill the disk. */
const MOST_BYTES = 4 * 2 ** 30;
/** Tries in a row that bring nothing new. */
const MOST_FRUITLESS = 4;
const PAUSE_MS = 2000;

/** What came is not what was wanted, and trying again would not help. */
export class WrongFileError extends Error {}

/** The server refuses to send it. */
class RefusedError extends Error {}

/**
 * Fetches a file to `target`. What an earlier try got is kept as `target.part` and goes on from there; a connection that
 * breaks is taken up again.
 *
 * @throws {WrongFileError} when its size or checksum is not the one wanted; nothing is kept then
 * @throws Error when it cannot be fetched; what was fetched is kept
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
      // The pieces may be of two different files: once more, in one.
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

/** Copies a file that the operator has to `target`. @throws {WrongFileError} when it is not the one wanted */
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

/** Removes a model file and what is left of a broken download. @returns whether there was anything */
export async function removeFile(target: string): Promise<boolean> {
  const there = (await sizeOf(target)) > 0 || (await sizeOf(`${target}.part`)) > 0;
  await rm(target, { force: true });
  await discard(`${target}.part`);
  return there;
}

/** Asks for what is lacking and appends it. Returns when all is there. */
async function fetchRest({ address, bytes }: Wanted, part: string, { onProgress }: DownloadOptions): Promise<void> {
  let at = await sizeOf(part);
  if (bytes !== null && at === bytes) return;
  const tag = at > 0 ? await readFile(tagFile(part), 'utf8').catch(() => '') : '';
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (at > 0) {
    headers['range'] = `bytes=${at}-`;
    // Another file under the same address is sent from its start then.
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
  // Chunk by chunk, so that what came before a connection broke is on the disk.
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

/** `fetch` hides the reason one level down. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || message : message;
}
