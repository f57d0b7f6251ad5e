import { describe, expect, test } from 'vitest';
import { bytesOf, intField, intsOf, messageField, readFields, textField, textOf, writeFields } from './protobuf.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('the protobuf wire format', () => {
  test('reads the examples of the protobuf documentation', () => {
    expect(readFields(bytes(0x08, 0x96, 0x01))).toEqual([{ number: 1, wireType: 0, value: 150n }]);
    expect(textOf(readFields(bytes(0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67)), 2)).toBe('testing');
    const packed = readFields(bytes(0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05));
    expect(intsOf(packed, 6)).toEqual([3n, 270n, 86942n]);
  });

  test('reads repeated integers whether packed or not', () => {
    expect(intsOf([intField(4, 3), intField(5, 9), intField(4, 1024)], 4)).toEqual([3n, 1024n]);
  });

  test('gives back every byte of a message with all wire types and unknown fields', () => {
    const message = bytes(
      0x08,
      0x96,
      0x01,
      0x11,
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      0x1a,
      0x02,
      0x68,
      0x69,
      0xa5,
      0x06,
      9,
      8,
      7,
      6,
    );
    const fields = readFields(message);
    expect(fields.map((field) => field.number)).toEqual([1, 2, 3, 100]);
    expect([...writeFields(fields)]).toEqual([...message]);
  });

  test('writes negative and large integers so that they are read back', () => {
    const [negative, large] = readFields(writeFields([intField(1, -1), intField(2, 2n ** 63n)]));
    expect(negative?.value).toBe(2n ** 64n - 1n);
    expect(large?.value).toBe(2n ** 63n);
  });

  test('nests messages', () => {
    const outer = writeFields([messageField(7, [textField(2, 'inner')])]);
    expect(textOf(readFields(bytesOf(readFields(outer), 7)[0] ?? bytes()), 2)).toBe('inner');
  });

  test.each([
    ['inside a varint', bytes(0x08, 0x96)],
    ['inside a field', bytes(0x12, 0x07, 0x74)],
    ['inside a fixed number', bytes(0x11, 1, 2, 3)],
  ])('refuses a message that ends %s', (_, message) => {
    expect(() => readFields(message)).toThrow(/message ends/);
  });

  test('refuses what is no message', () => {
    expect(() => readFields(bytes(0x0b, 0x00))).toThrow('unknown wire type 3');
    expect(() => readFields(bytes(0x00, 0x00))).toThrow('field number 0');
    expect(() => readFields(bytes(0x08, ...Array(11).fill(0xff)))).toThrow('longer than 10 bytes');
  });
});
