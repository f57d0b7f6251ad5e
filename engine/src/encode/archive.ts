import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { archiveName } from '../formats/index.ts';
import type { ArchiveFile } from '../types.ts';
import { writeAtomically } from './write-atomically.ts';

/** Already compressed formats: deflating them again costs time and saves nothing. */
const COMPRESSED = ['.jpg', '.jps', '.mpo', '.png', '.webp', '.mp4'];

/**
 * Writes files to `<name>.zip`, all at the top level, under their own names. The archive is complete or absent.
 * @param date milliseconds since 1970, kept as local time, because ZIP times have no time zone; the same for all
 *   files, so that the same conversion gives the same bytes
 */
export async function writeArchive(
  paths: readonly string[],
  dir: string,
  name: string,
  date = Date.now(),
): Promise<ArchiveFile> {
  const path = join(dir, archiveName(name));
  await writeAtomically(path, async (part) => {
    const zip = new yazl.ZipFile();
    const out = zip.outputStream as Readable;
    // yazl emits file errors on the archive, not on its output stream, which would otherwise never end.
    zip.on('error', (error: Error) => out.destroy(error));
    for (const file of paths) {
      const compress = !COMPRESSED.includes(extname(file));
      zip.addFile(file, basename(file), { compress, mtime: new Date(date), mode: 0o100644, forceDosTimestamp: true });
    }
    zip.end();
    await pipeline(out, createWriteStream(part));
  });
  return { name: basename(path), path, type: 'application/zip', bytes: (await stat(path)).size };
}
