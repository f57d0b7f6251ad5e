import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import type { ConvertRequest } from '../types.ts';
import { isDiskFull } from './disk-full.ts';

/** Prefix of staging folders. Hidden in listings; the clean-up after a power failure finds them by it. */
const PREFIX = '.framelift-';

/**
 * Runs a conversion in its own folder inside `request.outDir` and moves the files out once all are complete. After a
 * failure (an error, a cancellation, a crashed child process) none of its files remain.
 *
 * @throws {EngineError} as `convert`; `conversionFailed` for a folder that cannot be written
 */
export async function throughStaging<R extends ConvertRequest, T>(
  request: R,
  convert: (request: R) => Promise<T>,
): Promise<T> {
  const { outDir } = request;
  const moved: string[] = [];
  let staging: string | null = null;
  try {
    staging = await mkdtemp(join(outDir, PREFIX));
    const result = await convert({ ...request, outDir: staging });
    for (const name of (await readdir(staging)).sort()) {
      const target = join(outDir, name);
      await rename(join(staging, name), target);
      moved.push(target);
    }
    return relocated(result, staging, outDir);
  } catch (error) {
    for (const path of moved) await rm(path, { force: true });
    if (error instanceof EngineError) throw error;
    const code = isDiskFull(error) ? 'serverFull' : 'conversionFailed';
    throw new EngineError(code, (error as Error).message, { cause: error });
  } finally {
    if (staging !== null) await rm(staging, { recursive: true, force: true });
  }
}

/** Returns the result, which is plain data, with the paths after the move. */
function relocated<T>(result: T, from: string, to: string): T {
  const inside = join(from, '/');
  return JSON.parse(JSON.stringify(result), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(inside) ? join(to, value.slice(inside.length)) : value,
  );
}
