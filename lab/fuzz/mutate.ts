import { crc32 } from 'node:zlib';
import type { Kind } from './kinds.ts';
import { type LengthField, lengthFields } from './length-fields.ts';
import type { Random } from './random.ts';

export interface Mutated {
  readonly bytes: Buffer;
  /** Names of the applied operations, in order. */
  readonly how: readonly string[];
}

/** Boundary values of various formats. */
const EXTREME = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff];
/** Size of the region with the headers; damage in pixel data exercises little code. */
const HEAD = 768;

type Operation = (file: Buffer, random: Random, kind: Kind, others: readonly Buffer[]) => Buffer;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  flipBits: (file, random) => change(file, random, (byte) => byte ^ (1 << random.below(8))),
  extremeBytes: (file, random) => change(file, random, () => random.pick(EXTREME)),
  randomBytes: (file, random) => change(file, random, () => random.below(256)),
  truncate: (file, random) => file.subarray(0, random.share() < 0.3 ? random.below(HEAD) : random.below(file.length)),
  cutOut(file, random) {
    const at = place(file, random);
    return Buffer.concat([file.subarray(0, at), file.subarray(at + random.length(file.length - at))]);
  },
  repeat(file, random) {
    const at = place(file, random);
    const part = file.subarray(at, at + random.length(Math.min(4096, file.length - at)));
    return Buffer.concat([
      file.subarray(0, at),
      ...Array.from({ length: 1 + random.below(4) }, () => part),
      file.subarray(at),
    ]);
  },
  insert(file, random) {
    const at = place(file, random);
    const noise = Buffer.from(Array.from({ length: random.length(512) }, () => random.below(256)));
    return Buffer.concat([file.subarray(0, at), noise, file.subarray(at)]);
  },
  /** Joins the head of one file and the tail of another. */
  splice(file, random, _kind, others) {
    const other = random.pick(others);
    const at = place(file, random);
    return Buffer.concat([file.subarray(0, at), other.subarray(Math.min(other.length, at + random.below(64)))]);
  },
  /** Overwrites a part with a part of another file. */
  transplant(file, random, _kind, others) {
    const other = random.pick(others);
    const out = Buffer.from(file);
    const from = place(other, random);
    other.copy(out, place(file, random), from, from + random.length(1024));
    return out;
  },
  lengthField(file, random, kind) {
    const fields = lengthFields(kind, file);
    if (fields.length === 0) return file;
    const out = Buffer.from(file);
    tamper(out, random.pick(fields), random);
    return out;
  },
};
const NAMES = Object.keys(OPERATIONS);

/** Damages a file in one to three ways. Deterministic for the same random numbers. */
export function mutate(kind: Kind, file: Buffer, others: readonly Buffer[], random: Random): Mutated {
  const how: string[] = [];
  let bytes = file;
  for (let left = 1 + random.below(3); left > 0 && bytes.length > 0; left--) {
    const name = random.pick(NAMES);
    bytes = (OPERATIONS[name] as Operation)(bytes, random, kind, others);
    how.push(name);
  }
  // A reader that verifies checksums stops at the first wrong one and never sees the remaining damage.
  if (kind === 'png' && random.share() < 0.5) bytes = withRightSums(bytes);
  return { bytes, how };
}

function change(file: Buffer, random: Random, value: (byte: number) => number): Buffer {
  const out = Buffer.from(file);
  for (let left = random.length(48); left > 0; left--) {
    const at = place(out, random);
    out[at] = value(out[at] as number);
  }
  return out;
}

/** Returns a random offset, half of the time in the header. */
function place(file: Buffer, random: Random): number {
  return random.below(random.share() < 0.5 ? Math.min(HEAD, file.length) : file.length);
}

function tamper(out: Buffer, { at, bytes, littleEndian }: LengthField, random: Random): void {
  const most = 2 ** (8 * bytes) - 1;
  const read = () => {
    if (bytes === 2) return littleEndian ? out.readUInt16LE(at) : out.readUInt16BE(at);
    return littleEndian ? out.readUInt32LE(at) : out.readUInt32BE(at);
  };
  if (at + bytes > out.length) return;
  const near = Math.min(most, Math.max(0, read() + random.below(17) - 8));
  const value = random.pick([
    0,
    1,
    2,
    most,
    most - 1,
    2 ** (8 * bytes - 1),
    near,
    near,
    random.below(most),
    out.length,
  ]);
  const fitting = Math.min(most, value);
  if (bytes === 2) littleEndian ? out.writeUInt16LE(fitting, at) : out.writeUInt16BE(fitting, at);
  else littleEndian ? out.writeUInt32LE(fitting, at) : out.writeUInt32BE(fitting, at);
}

function withRightSums(file: Buffer): Buffer {
  const out = Buffer.from(file);
  for (const { at } of lengthFields('png', out)) {
    const end = at + 8 + out.readUInt32BE(at);
    if (end + 4 <= out.length) out.writeUInt32BE(crc32(out.subarray(at + 4, end)), end);
  }
  return out;
}
