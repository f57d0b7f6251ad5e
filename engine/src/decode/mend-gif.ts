const END = 0x3b;
/** End of the pixel data and of the file: without them nothing visible is missing. */
const TAIL = Uint8Array.of(0, END);
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const HEADER = 13;
const DESCRIPTOR = 10;

/** Returns the file with an end, which some writers leave out. */
export function withGifEnd(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === END ? bytes : Buffer.concat([bytes, TAIL]);
}

/**
 * Returns versions of a damaged GIF that end within the pixels of its first frame: entry k has k + 1 blocks of data.
 * libnsgif rejects a frame with an invalid code, but shows one that ends early.
 */
export function shortenedGifs(bytes: Uint8Array): readonly (() => Uint8Array)[] {
  return endsOfBlocks(bytes).map((end) => () => Buffer.concat([bytes.subarray(0, end), TAIL]));
}

/** Returns the offsets after each block of pixel data of the first frame. */
function endsOfBlocks(bytes: Uint8Array): number[] {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const blocksFrom = (start: number): number[] => {
    const ends: number[] = [];
    for (let at = start; at < bytes.length && bytes[at] !== 0; at = ends.at(-1) as number)
      ends.push(at + 1 + (bytes[at] as number));
    return ends.filter((end) => end <= bytes.length);
  };
  let at = HEADER + tableBytes(bytes[10] ?? 0);
  while (bytes[at] === EXTENSION) at = (blocksFrom(at + 2).at(-1) ?? at + 2) + 1;
  if (bytes[at] !== IMAGE) return [];
  // The blocks begin after the descriptor, its colour table and the size of the codes.
  return blocksFrom(at + DESCRIPTOR + tableBytes(bytes[at + 9] ?? 0) + 1);
}
