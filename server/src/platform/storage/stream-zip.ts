import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Storage } from './storage.ts';

/** A file of an archive: an object of the store, or text. */
export type ZipEntry = {
  /** Path in the archive. */
  readonly path: string;
  readonly date: Date;
} & ({ readonly key: string; readonly size: number } | { readonly text: string });

export interface ZipStream {
  readonly stream: Readable;
  /** Exact size in bytes, known before anything is read. */
  readonly size: Promise<number>;
}

/**
 * Streams an archive, one object after the other, so that it takes no memory of its own. Nothing is compressed: pictures
 * and videos already are. The stream fails if an object has disappeared meanwhile.
 */
export function streamZip(storage: Storage, entries: readonly ZipEntry[]): ZipStream {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  let open: Readable | null = null;
  zip.on('error', (error) => stream.destroy(error as Error));
  // Closes the open file when a download is interrupted.
  stream.once('close', () => open?.destroy());
  for (const entry of entries) {
    const options = { mtime: entry.date, compress: false };
    if ('text' in entry) {
      zip.addBuffer(Buffer.from(entry.text), entry.path, options);
      continue;
    }
    zip.addReadStreamLazy(entry.path, { ...options, size: entry.size }, async (next) => {
      try {
        open = await storage.openRead(entry.key);
        if (!open) throw new Error(`${entry.key} is not in the store`);
        open.once('error', (error) => stream.destroy(error));
        if (stream.destroyed) open.destroy();
        else next(null, open);
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
  }
  const size = new Promise<number>((resolve) => {
    // The types leave out the argument of the callback.
    zip.end(undefined, resolve as () => void);
  });
  return { stream, size };
}
