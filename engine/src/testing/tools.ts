import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/**
 * Returns the path of an external program used to verify output files independently, or null where it is not installed.
 */
export function tool(name: 'ffprobe' | 'ffmpeg' | 'exiftool'): string | null {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (!found) process.emitWarning(`${name} is absent: the tests that need it are skipped`);
  return found ?? null;
}

/** Output of `ffprobe -show_streams -show_format`. */
export interface Probed {
  readonly streams: readonly ({ readonly codec_type: string; readonly codec_name: string } & Record<string, unknown>)[];
  readonly format: Record<string, unknown>;
}

/** @param more further arguments, e.g. `-count_frames` */
export function ffprobe(path: string, more: readonly string[] = []): Probed {
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', ...more, path];
  return JSON.parse(execFileSync(tool('ffprobe') ?? 'ffprobe', args, { encoding: 'utf8' }));
}

/**
 * Returns every tag that exiftool finds in a file, as `Group:Name`, with numeric values as numbers.
 * @param more further arguments, e.g. `-u` for unknown tags
 */
export function exiftool(path: string, more: readonly string[] = []): Readonly<Record<string, unknown>> {
  const args = ['-json', '-G1', '-n', '-a', ...more, path];
  const [tags] = JSON.parse(execFileSync(tool('exiftool') ?? 'exiftool', args, { encoding: 'utf8' }));
  return tags;
}

/** Returns the files of an archive by name. */
export async function unzipped(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path);
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
