import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { archiveName } from '../formats/index.ts';
import type { ArchiveFile } from '../types.ts';
import { writeAtomically } from './write-atomically.ts';

/** The same for every file, so that the same conversion gives the same bytes; the local one, as ZIP times have no zone. */
const DATE = new Date(2000, 0, 1);
/** Compressed by their nature: deflating them again costs time and gains nothing. */
const COMPRESSED = ['.jpg', '.jps', '.mpo', '.png', '.webp', '.mp4'];

/** Puts files into `<name>.zip`, beside each other, under their own names. The archive appears complete or not at all. */
export async function writeArchive(paths: readonly string[], dir: string, name: string): Promise<ArchiveFile> {
  const path = join(dir, archiveName(name));
  await writeAtomically(path, async (part) => {
    const zip = new yazl.ZipFile();
    const out = zip.outputStream as Readable;
    // Errors of a file are emitted by the archive, not by its stream, which would otherwise never end.
    zip.on('error', (error: Error) => out.destroy(error));
    for (const file of paths) {
      const compress = !COMPRESSED.includes(extname(file));
      zip.addFile(file, basename(file), { compress, mtime: DATE, mode: 0o100644, forceDosTimestamp: true });
    }
    zip.end();
    await pipeline(out, createWriteStream(part));
  });
  return { name: basename(path), path, type: 'application/zip', bytes: (await stat(path)).size };
}
