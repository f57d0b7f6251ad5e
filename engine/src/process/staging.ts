import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import type { ConvertRequest } from '../types.ts';

/** Prefix of staging folders. Hidden in listings; a clean-up after a power cut finds them by it. */
const PREFIX = '.framelift-';

/**
 * Runs a conversion in a folder of its own inside `request.outDir` and moves the files out when all are there. Whatever
 * goes wrong (an error, a cancel, a child process that dies), nothing of it stays.
 *
 * @throws {EngineError} what `convert` throws; `conversionFailed` for a folder that cannot be written
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
    throw new EngineError('conversionFailed', (error as Error).message, { cause: error });
  } finally {
    if (staging !== null) await rm(staging, { recursive: true, force: true });
  }
}

/** The result, which is plain data, with the paths that its files have after the move. */
function relocated<T>(result: T, from: string, to: string): T {
  const inside = join(from, '/');
  return JSON.parse(JSON.stringify(result), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(inside) ? join(to, value.slice(inside.length)) : value,
  );
}
