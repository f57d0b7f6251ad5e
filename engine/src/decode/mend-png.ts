import { once } from 'node:events';
import { createDeflate, createInflateRaw, constants as zlib } from 'node:zlib';
import { assemblePng, type Chunk, readChunks } from './png.ts';

export interface MendedPng {
  readonly bytes: Uint8Array;
  /** Rows are missing, or pixels are known to be wrong. */
  readonly incomplete: boolean;
}

/** Chunks that change how the picture looks; the others are dropped. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'cICP', 'eXIf']);
/** Bytes of a zlib stream before its deflate data; the checksum at its end is never looked at. */
const ZLIB_HEADER = 2;
const PIECE = 16 * 1024;
/** Bytes that one call inflates. */
const LEAST_CALL = 1024;
const LARGEST_CALL = 1024 * 1024;
const LARGEST_FILTER = 4;
const ADLER = 65_521;

/**
 * Writes a damaged PNG anew, from all that can be read of it: chunks with right checksums and the rows before the
 * damage, as browsers show them. Missing rows are zeros. Wrong checksums alone change nothing. Memory is bounded by the
 * size of the compressed data.
 *
 * @returns null when the header or all rows are missing
 */
export async function mendPng(bytes: Uint8Array): Promise<MendedPng | null> {
  const chunks = [...readChunks(bytes)];
  const header = chunks.find(({ type }) => type === 'IHDR');
  const layout = header && rowsOf(header.body);
  if (!layout) return null;
  const idat = chunks.filter(({ type }) => type === 'IDAT');
  const data = Buffer.concat(idat.map(({ body }) => body));
  const { deflated, written, adler } = await repack(data.subarray(ZLIB_HEADER), layout);
  if (written === 0) return null;
  const complete = written === layout.total;
  // Bytes that were changed on the way fail both checksums; one alone is the fault of a writer.
  const changed = complete && idat.some(({ intact }) => !intact) && data.subarray(-4).readUInt32BE() !== adler;
  const kept = chunks.filter(
    ({ type, intact }) => KEPT.has(type) && (intact || type === 'IHDR' || type === 'PLTE' || type === 'tRNS'),
  );
  return {
    bytes: assemblePng([...kept.map(({ type, body }): Chunk => [type, body]), ['IDAT', deflated]]),
    incomplete: !complete || changed,
  };
}

/** The rows of the uncompressed data, each led by a filter byte: of one picture, or of seven when interlaced. */
interface Rows {
  readonly passes: readonly { readonly rowBytes: number; readonly rows: number }[];
  readonly total: number;
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** First column and row, and steps, of Adam7's passes. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function rowsOf(header: Uint8Array): Rows | null {
  if (header.length < 13) return null;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const bits = (header[8] as number) * (CHANNELS[header[9] as number] ?? 0);
  if (bits === 0) return null;
  const pass = (columns: number, rows: number) => ({ rowBytes: 1 + Math.ceil((columns * bits) / 8), rows });
  const passes =
    header[12] === 1
      ? ADAM7.map(([x, y, across, down]) => [Math.ceil((width - x) / across), Math.ceil((height - y) / down)] as const)
          .filter(([columns, rows]) => columns > 0 && rows > 0)
          .map(([columns, rows]) => pass(columns, rows))
      : [pass(width, height)];
  return { passes, total: passes.reduce((sum, { rowBytes, rows }) => sum + rowBytes * rows, 0) };
}

/**
 * Inflates the data up to its damage and compresses whole rows again, with zeros for the missing ones.
 *
 * @returns the number of bytes of rows that were read, and the Adler-32 checksum of them
 */
async function repack(
  data: Uint8Array,
  { passes, total }: Rows,
): Promise<{ deflated: Buffer; written: number; adler: number }> {
  const deflated: Buffer[] = [];
  const deflate = createDeflate({ level: 1 }).on('data', (part: Buffer) => deflated.push(part));
  // The output of a failing call is lost: calls of a row lose few.
  const chunkSize = Math.min(LARGEST_CALL, Math.max(LEAST_CALL, ...passes.map(({ rowBytes }) => rowBytes)));
  const inflate = createInflateRaw({ finishFlush: zlib.Z_SYNC_FLUSH, chunkSize });
  let ended = false;
  let written = 0;
  let [a, b] = [1, 0];
  let row: Buffer = Buffer.alloc(0);
  const take = (part: Buffer) => {
    row = row.length === 0 ? part : Buffer.concat([row, part]);
    while (!ended && written < total) {
      const { rowBytes } = passAt(passes, written);
      if (row.length < rowBytes) return;
      ended = (row[0] as number) > LARGEST_FILTER;
      if (ended) return;
      const whole = row.subarray(0, rowBytes);
      for (const value of whole) {
        a = (a + value) % ADLER;
        b = (b + a) % ADLER;
      }
      deflate.write(whole);
      written += rowBytes;
      row = row.subarray(rowBytes);
    }
    ended = true;
  };
  inflate.on('data', take);
  // A stream that is over does not call back for the bytes after it, its checksum for example.
  const over = new Promise<void>((done) => {
    for (const event of ['end', 'error', 'close']) inflate.once(event, done);
  }).then(() => {
    ended = true;
  });
  for (let at = 0; at < data.length && !ended; at += PIECE) {
    const taken = new Promise<void>((done) => inflate.write(data.subarray(at, at + PIECE), () => done()));
    await Promise.race([taken, over]);
    if (deflate.writableNeedDrain) await once(deflate, 'drain');
  }
  inflate.end();
  await over;
  inflate.destroy();
  for (let missing = total - written; missing > 0; missing -= PIECE) {
    deflate.write(Buffer.alloc(Math.min(PIECE, missing)));
    if (deflate.writableNeedDrain) await once(deflate, 'drain');
  }
  deflate.end();
  await once(deflate, 'end');
  return { deflated: Buffer.concat(deflated), written, adler: ((b << 16) | a) >>> 0 };
}

/** Returns the pass in which the row at this offset of the uncompressed data lies. */
function passAt(passes: Rows['passes'], offset: number): Rows['passes'][number] {
  let from = 0;
  for (const pass of passes) {
    from += pass.rowBytes * pass.rows;
    if (offset < from) return pass;
  }
  return passes.at(-1) as Rows['passes'][number];
}
