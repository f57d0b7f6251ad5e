import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EngineError } from '../errors.ts';
import type { ConversionRequest, ConversionResult, VideoRequest, VideoResult } from '../types.ts';

/** Hidden from people who list the folder, and known to whoever has to tidy up after a power cut. */
const PREFIX = '.framelift-';

/**
 * Runs a conversion in a folder of its own inside `request.outDir` and moves the files out when all are there. Whatever
 * goes wrong (an error, a cancel, a child process that dies), nothing of it stays.
 *
 * @throws {EngineError} what `convert` throws; `conversionFailed` for a folder that cannot be written
 */
export async function throughStaging(
  request: ConversionRequest,
  convert: (request: ConversionRequest) => Promise<ConversionResult>,
): Promise<ConversionResult> {
  const result = await staged(request.outDir, (outDir) => convert({ ...request, outDir }));
  return relocated(result, request.outDir);
}

/** The same for a video. */
export async function videoThroughStaging(
  request: VideoRequest,
  convert: (request: VideoRequest) => Promise<VideoResult>,
): Promise<VideoResult> {
  const result = await staged(request.outDir, (outDir) => convert({ ...request, outDir }));
  const move = (path: string) => join(request.outDir, basename(path));
  return { ...result, cover: move(result.cover), file: { ...result.file, path: move(result.file.path) } };
}

async function staged<T>(outDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const moved: string[] = [];
  let staging: string | null = null;
  try {
    staging = await mkdtemp(join(outDir, PREFIX));
    const result = await work(staging);
    for (const name of (await readdir(staging)).sort()) {
      const target = join(outDir, name);
      await rename(join(staging, name), target);
      moved.push(target);
    }
    return result;
  } catch (error) {
    for (const path of moved) await rm(path, { force: true });
    if (error instanceof EngineError) throw error;
    throw new EngineError('conversionFailed', (error as Error).message, { cause: error });
  } finally {
    if (staging !== null) await rm(staging, { recursive: true, force: true });
  }
}

function relocated(result: ConversionResult, folder: string): ConversionResult {
  const move = (path: string) => join(folder, basename(path));
  const { files, archive, depthFile, preview } = result;
  return {
    ...result,
    files: files.map((file) => ({ ...file, path: move(file.path) })),
    archive: archive && { ...archive, path: move(archive.path) },
    depthFile: depthFile && move(depthFile),
    preview: preview && {
      colour: move(preview.colour),
      depth: move(preview.depth),
      background: move(preview.background),
      backgroundDepth: move(preview.backgroundDepth),
      cover: move(preview.cover),
    },
  };
}
