/** Installs model files in their folder: each appears there complete and verified, or not at all. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { DepthModelProblem } from '@framelift/contract/depth-models';

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
  /** Time without a byte after which a connection counts as broken, in milliseconds; 60,000 by default. */
  readonly stallMs?: number;
  /** Ends the download; what has arrived is kept. */
  readonly signal?: AbortSignal;
}

/** Download limit when the size is unknown, larger than any depth model: an endless response must not fill the disk. */
const MOST_BYTES = 4 * 2 ** 30;
/** Limit on consecutive attempts without progress. */
const MOST_FRUITLESS = 4;
const PAUSE_MS = 2000;
const STALL_MS = 60_000;

/** The received file is not the expected one, and a retry would not help. */
export class WrongFileError extends Error {}

/** The server refused the request. */
class RefusedError extends Error {}

/** The server has a problem of its own. */
class ServerError extends Error {}

/** A web page came instead of the file. */
class WebPageError extends Error {}

const DISK_FULL = ['ENOSPC', 'EDQUOT'];
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST'];
/** No connection came about. `UND_ERR_CONNECT_TIMEOUT` is the name that `fetch` has for its own limit. */
const OFFLINE = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Returns why a download failed. */
export function problemOf(error: unknown): DepthModelProblem {
  if (error instanceof WrongFileError) return 'wrongFile';
  if (error instanceof RefusedError) return 'notThere';
  if (error instanceof ServerError) return 'serverTrouble';
  if (error instanceof WebPageError) return 'webPage';
  const codes = codesOf(error);
  if (codes.some((code) => DISK_FULL.includes(code))) return 'diskFull';
  if (codes.some((code) => NOT_WRITABLE.includes(code))) return 'notWritable';
  return codes.length > 0 && codes.every((code) => OFFLINE.includes(code)) ? 'offline' : 'interrupted';
}

/** Returns why a download failed, and the words of the system about it. */
export function failureOf(error: unknown): { readonly problem: DepthModelProblem; readonly detail: string } {
  return { problem: problemOf(error), detail: error instanceof Error ? reasonOf(error) : String(error) };
}

/** Returns the codes of an error and its causes: `fetch` tries several addresses and wraps what each of them said. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return [...(typeof code === 'string' ? [code] : []), ...inner.flatMap(codesOf)];
}

/** Returns whether another attempt would end the same way. */
const isFinal = (error: unknown) => ['notThere', 'webPage', 'diskFull', 'notWritable'].includes(problemOf(error));

/**
 * Downloads a file to `target`. Partial data is kept as `target.part` and resumed by a later call; dropped connections
 * are retried.
 *
 * @throws {WrongFileError} when size or checksum differ; the partial file is deleted
 * @throws Error when the download fails (see `problemOf`) or is ended; the partial file is kept, unless the disk is full
 */
export async function downloadFile(wanted: Wanted, target: string, options: DownloadOptions = {}): Promise<void> {
  const { onRetry, pauseMs = PAUSE_MS, signal } = options;
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
      signal?.throwIfAborted();
      if (error instanceof WrongFileError || problemOf(error) === 'diskFull') await discard(part);
      const size = await sizeOf(part);
      fruitless = size > before ? 0 : fruitless + 1;
      if (error instanceof WrongFileError || isFinal(error) || fruitless >= MOST_FRUITLESS) throw error;
      resumed = size > 0;
      onRetry?.(reasonOf(error));
      await setTimeout(pauseMs, undefined, signal ? { signal } : {});
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
async function fetchRest(wanted: Wanted, part: string, options: DownloadOptions): Promise<void> {
  const { stallMs = STALL_MS } = options;
  const stalled = new AbortController();
  const stall = globalThis.setTimeout(
    () => stalled.abort(new Error(`${wanted.address} sent nothing for ${stallMs} ms`)),
    stallMs,
  );
  const signals = options.signal ? [options.signal, stalled.signal] : [stalled.signal];
  try {
    await receiveRest(wanted, part, AbortSignal.any(signals), (...progress) => {
      stall.refresh();
      options.onProgress?.(...progress);
    });
  } finally {
    clearTimeout(stall);
  }
}

async function receiveRest(
  { address, bytes }: Wanted,
  part: string,
  signal: AbortSignal,
  onProgress: NonNullable<DownloadOptions['onProgress']>,
): Promise<void> {
  let at = await sizeOf(part);
  if (bytes !== null && at === bytes) return;
  const tag = at > 0 ? await readFile(tagFile(part), 'utf8').catch(() => '') : '';
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (at > 0) {
    headers['range'] = `bytes=${at}-`;
    // If the file at this address has changed, the server sends it from the start.
    if (tag) headers['if-range'] = tag;
  }
  const response = await fetch(address, { headers, signal });
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  if (response.status === 416 || (response.status === 206 && Number(range?.[1]) !== at)) {
    await response.body?.cancel();
    await discard(part);
    throw new Error(`${address} cannot go on from byte ${at}`);
  }
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isPage && response.status < 500 && response.status !== 404) {
    await response.body?.cancel();
    throw new WebPageError(`${address} answers with a web page`);
  }
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    const answer = `${address} answers ${response.status} ${response.statusText}`;
    const isRefused = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status);
    throw isRefused ? new RefusedError(answer) : new ServerError(answer);
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
      onProgress(at, total);
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
