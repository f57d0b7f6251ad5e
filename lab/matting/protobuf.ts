/**
 * The protobuf wire format, as far as rewriting a message requires: splits a message into its fields and writes it back
 * byte for byte, so that unknown fields are preserved.
 * Format: https://protobuf.dev/programming-guides/encoding/
 */

/** One field of a message. Length-delimited values (strings, bytes, messages, packed numbers) are views, not copies. */
export type Field =
  | { readonly number: number; readonly wireType: 0; readonly value: bigint }
  | { readonly number: number; readonly wireType: 1 | 2 | 5; readonly value: Uint8Array };

const MAX_VARINT_BYTES = 10;

/** Reads the varint at `at` and returns its value and the position after it. */
function readVarint(bytes: Uint8Array, at: number): { value: bigint; next: number } {
  let value = 0n;
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw new Error('protobuf: message ends inside a varint');
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), next: at + i + 1 };
  }
  throw new Error('protobuf: varint longer than 10 bytes');
}

/**
 * Splits a message into its fields, in file order.
 * @throws {Error} if the bytes are not a well-formed message
 */
export function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    const { value, next } = readVarint(message, at);
    at = next;
    return value;
  };
  const bytes = (length: number): Uint8Array => {
    if (at + length > message.length) throw new Error('protobuf: message ends inside a field');
    at += length;
    return message.subarray(at - length, at);
  };

  while (at < message.length) {
    const key = Number(varint());
    const number = Math.floor(key / 8);
    const wireType = key % 8;
    if (number === 0) throw new Error('protobuf: field number 0');
    if (wireType === 0) fields.push({ number, wireType, value: varint() });
    else if (wireType === 1) fields.push({ number, wireType, value: bytes(8) });
    else if (wireType === 2) fields.push({ number, wireType, value: bytes(Number(varint())) });
    else if (wireType === 5) fields.push({ number, wireType, value: bytes(4) });
    else throw new Error(`protobuf: unknown wire type ${wireType}`);
  }
  return fields;
}

/** The inverse of `readFields`. */
export function writeFields(fields: readonly Field[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const field of fields) {
    parts.push(encodeVarint(BigInt(field.number) * 8n + BigInt(field.wireType)));
    if (field.wireType === 0) {
      parts.push(encodeVarint(field.value));
    } else {
      if (field.wireType === 2) parts.push(encodeVarint(BigInt(field.value.length)));
      parts.push(field.value);
    }
  }
  const { buffer, byteOffset, length } = Buffer.concat(parts);
  return new Uint8Array(buffer, byteOffset, length);
}

function encodeVarint(value: bigint): Uint8Array {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return Uint8Array.from(out);
}

export function messageField(number: number, fields: readonly Field[]): Field {
  return { number, wireType: 2, value: writeFields(fields) };
}

export function textField(number: number, text: string): Field {
  return { number, wireType: 2, value: new TextEncoder().encode(text) };
}

export function intField(number: number, value: number | bigint): Field {
  return { number, wireType: 0, value: BigInt(value) };
}

/** Returns the values of a length-delimited field, in order. */
export function bytesOf(fields: readonly Field[], number: number): Uint8Array[] {
  return fields.filter((f) => f.number === number).flatMap((f) => (f.wireType === 2 ? [f.value] : []));
}

/** Returns the values of a repeated string field, in order. */
export function textsOf(fields: readonly Field[], number: number): string[] {
  return bytesOf(fields, number).map((value) => new TextDecoder().decode(value));
}

/** Returns the last value of a single string field (the one that counts), or ''. */
export function textOf(fields: readonly Field[], number: number): string {
  return textsOf(fields, number).at(-1) ?? '';
}

/** Returns the values of a repeated integer field, packed or not. */
export function intsOf(fields: readonly Field[], number: number): bigint[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap((field) => {
      if (field.wireType === 0) return [field.value];
      if (field.wireType !== 2) throw new Error(`protobuf: field ${number} holds no integers`);
      const values: bigint[] = [];
      for (let at = 0; at < field.value.length; ) {
        const { value, next } = readVarint(field.value, at);
        values.push(value);
        at = next;
      }
      return values;
    });
}
