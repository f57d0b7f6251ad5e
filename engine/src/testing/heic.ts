import { AV_CODEC_FLAG_GLOBAL_HEADER, FF_ENCODER_LIBX265 } from 'node-av/constants';
import { avGetPixFmtFromName, Codec, CodecContext, Dictionary, Frame, Packet, Rational } from 'node-av/lib';
import type { Plane } from '../depth/plane.ts';

/** Transformations of a HEIC item, stored as its own properties: counter-clockwise quarter turns, then a mirror. */
export interface HeicTurn {
  readonly quarters?: 0 | 1 | 2 | 3;
  /** 0: about the vertical axis, left to right. 1: top to bottom. */
  readonly mirror?: 0 | 1;
}

export interface HeicPicture extends HeicTurn {
  /** Brightness 0 … 1 as stored, with even sides; encoded as grey HEVC. */
  readonly grey: Plane;
}

export interface HeicAuxiliary extends HeicPicture {
  /** URN in `auxC`. */
  readonly type: string;
  readonly xmp?: string;
}

export const DEPTH_URN = 'urn:mpeg:hevc:2015:auxid:2';

/** Builds a HEIC as written by phones: a primary picture and its auxiliary pictures (ISO/IEC 23008-12). */
export async function heicFile(picture: HeicPicture, auxiliaries: readonly HeicAuxiliary[] = []): Promise<Buffer> {
  const images = [picture, ...auxiliaries];
  const streams: HevcStill[] = [];
  for (const { grey } of images) streams.push(await encodeHevc(grey));
  const texts = auxiliaries.flatMap(({ xmp }, i) => (xmp === undefined ? [] : [{ xmp: Buffer.from(xmp), of: i + 2 }]));
  const data = [...streams.map(({ samples }) => samples), ...texts.map(({ xmp }) => xmp)];

  const properties: Buffer[] = [];
  const add = (property: Buffer) => properties.push(property);
  const links = images.map((image, i) => {
    const { width, height } = image.grey;
    const own = [
      add(fullBox('ispe', 0, u32(width, height))),
      0x80 | add(box('hvcC', (streams[i] as HevcStill).record)),
    ];
    if ('type' in image) own.push(0x80 | add(fullBox('auxC', 0, Buffer.from(`${image.type}\0`))));
    if (image.quarters) own.push(0x80 | add(box('irot', Buffer.from([image.quarters]))));
    // The `imir` axis values are swapped: 0 is top to bottom, 1 left to right.
    if (image.mirror !== undefined) own.push(0x80 | add(box('imir', Buffer.from([image.mirror === 0 ? 1 : 0]))));
    return Buffer.concat([u16(i + 1), Buffer.from([own.length, ...own])]);
  });
  const items = [
    ...images.map((_, i) => fullBox('infe', 2 << 24, u16(i + 1, 0), Buffer.from('hvc1\0'))),
    ...texts.map((_, i) =>
      fullBox('infe', 2 << 24, u16(images.length + 1 + i, 0), Buffer.from('mime\0application/rdf+xml\0')),
    ),
  ];
  const references = [
    ...auxiliaries.map((_, i) => box('auxl', u16(i + 2, 1, 1))),
    ...texts.map(({ of }, i) => box('cdsc', u16(images.length + 1 + i, 1, of))),
  ];
  const metaAt = (first: number) => {
    let at = first;
    const places = data.map((bytes, i) => {
      const entry = Buffer.concat([u16(i + 1, 0, 1), u32(at, bytes.length)]);
      at += bytes.length;
      return entry;
    });
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, u16(1)),
      fullBox('iinf', 0, u16(items.length), ...items),
      ...(references.length > 0 ? [fullBox('iref', 0, ...references)] : []),
      box('iprp', box('ipco', ...properties), fullBox('ipma', 0, u32(links.length), ...links)),
      fullBox('iloc', 0, Buffer.from([0x44, 0]), u16(places.length), ...places),
    );
  };
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic'));
  const first = head.length + metaAt(0).length + 8;
  return Buffer.concat([head, metaAt(first), box('mdat', ...data)]);
}

interface HevcStill {
  /** HEVCDecoderConfigurationRecord. */
  readonly record: Buffer;
  /** The picture's NAL units, each with a length prefix. */
  readonly samples: Buffer;
}

const PARAMETER_SETS = [32, 33, 34];

async function encodeHevc({ data, width, height }: Plane): Promise<HevcStill> {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX265);
  if (!codec) throw new Error('no encoder libx265');
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = width;
  encoder.height = height;
  encoder.pixelFormat = avGetPixFmtFromName('yuv420p');
  encoder.timeBase = new Rational(1, 25);
  encoder.threadCount = 1;
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const options = Dictionary.fromObject({
    preset: 'ultrafast',
    crf: '8',
    'x265-params': 'log-level=none:pools=1:range=full:keyint=1',
  });
  if ((await encoder.open2(codec, options)) < 0) throw new Error('libx265 cannot be opened');
  const planes = Buffer.alloc((width * height * 3) / 2, 128);
  for (let i = 0; i < data.length; i++) planes[i] = Math.round((data[i] as number) * 255);
  const frame = Frame.fromVideoBuffer(planes, { width, height, format: encoder.pixelFormat });
  frame.pts = 0n;
  const packet = new Packet();
  packet.alloc();
  if ((await encoder.sendFrame(frame)) < 0 || (await encoder.sendFrame(null)) < 0) throw new Error('not encoded');
  if ((await encoder.receivePacket(packet)) < 0) throw new Error('no picture encoded');
  const sets = unitsOf(encoder.extraData as Buffer).filter((unit) => PARAMETER_SETS.includes(typeOf(unit)));
  const units = unitsOf(Buffer.from(packet.data as Buffer)).filter((unit) => typeOf(unit) < 32);
  frame.free();
  packet.free();
  encoder.freeContext();
  return {
    record: decoderRecord(sets),
    samples: Buffer.concat(units.flatMap((unit) => [u32(unit.length), unit])),
  };
}

/** Splits a stream with start codes into NAL units. */
function unitsOf(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  const code = Buffer.from([0, 0, 1]);
  for (let at = stream.indexOf(code); at >= 0; at = stream.indexOf(code, at + 3)) starts.push(at + 3);
  return starts.map((start, i) => {
    const next = starts[i + 1];
    let end = next === undefined ? stream.length : next - 3;
    while (next !== undefined && stream[end - 1] === 0) end--;
    return stream.subarray(start, end);
  });
}

function typeOf(unit: Buffer): number {
  return ((unit[0] as number) >> 1) & 0x3f;
}

function decoderRecord(sets: readonly Buffer[]): Buffer {
  const sequence = sets.find((unit) => typeOf(unit) === 33) as Buffer;
  // Profile, tier and level follow the first byte after the NAL unit header; emulation prevention bytes are removed.
  const plain = Buffer.from(sequence.toString('latin1').replaceAll('\0\0\x03', '\0\0'), 'latin1');
  const arrays = PARAMETER_SETS.flatMap((type) => {
    const units = sets.filter((unit) => typeOf(unit) === type);
    return [Buffer.from([0x80 | type]), u16(units.length), ...units.flatMap((unit) => [u16(unit.length), unit])];
  });
  return Buffer.concat([
    Buffer.from([1]),
    plain.subarray(3, 15),
    Buffer.from([0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, PARAMETER_SETS.length]),
    ...arrays,
  ]);
}

function box(type: string, ...body: Uint8Array[]): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), ...body]);
  return Buffer.concat([u32(content.length + 4), content]);
}

function fullBox(type: string, versionAndFlags: number, ...body: Uint8Array[]): Buffer {
  return box(type, u32(versionAndFlags), ...body);
}

function u16(...values: number[]): Buffer {
  const out = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) out.writeUInt16BE(value, i * 2);
  return out;
}

function u32(...values: number[]): Buffer {
  const out = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) out.writeUInt32BE(value, i * 4);
  return out;
}
