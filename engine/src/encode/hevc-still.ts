import { AV_CODEC_FLAG_GLOBAL_HEADER, AV_PIX_FMT_YUV420P, FF_ENCODER_LIBX265 } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, Packet, Rational } from 'node-av/lib';
import type { Size } from '../types.ts';
import { u16, u32 } from './iso-boxes.ts';

/** One picture in HEVC, as a HEIC file stores it. */
export interface HevcStill {
  /** HEVCDecoderConfigurationRecord (ISO/IEC 14496-15). */
  readonly record: Buffer;
  /** The picture's NAL units, each with a length prefix. */
  readonly samples: Buffer;
}

/** Types of NAL units: those of a picture come before the parameter sets of video, sequence and picture. */
const PARAMETER_SETS = [32, 33, 34];

/**
 * Encodes a picture with x265.
 * @param planes 4:2:0 in full range: luma, then both chroma planes, without padding
 * @param size even
 */
export async function encodeHevcStill(
  planes: Uint8Array,
  size: Size,
  quality: { readonly preset: string; readonly crf: number },
): Promise<HevcStill> {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX265);
  if (!codec) throw new Error('this FFmpeg encodes no HEVC');
  const encoder = new CodecContext();
  const frame = new Frame();
  const packet = new Packet();
  const options = Dictionary.fromObject({
    preset: quality.preset,
    crf: String(quality.crf),
    // Fixed threads: they affect the bytes.
    'x265-params': [
      'log-level=none:pools=2:frame-threads=1:keyint=1:range=full',
      'colorprim=bt709:transfer=iec61966-2-1:colormatrix=smpte170m',
    ].join(':'),
  });
  try {
    encoder.allocContext3(codec);
    encoder.width = size.width;
    encoder.height = size.height;
    encoder.pixelFormat = AV_PIX_FMT_YUV420P;
    encoder.timeBase = new Rational(1, 25);
    encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    const must = (code: number, what: string) => {
      if (code < 0) throw new Error(`HEVC, ${what}: ${code}`);
    };
    must(await encoder.open2(codec, options), 'opening the encoder');
    frame.alloc();
    frame.width = size.width;
    frame.height = size.height;
    frame.format = AV_PIX_FMT_YUV420P;
    must(frame.getBuffer(), 'a frame');
    must(frame.fromBuffer(Buffer.from(planes.buffer, planes.byteOffset, planes.length)), 'a frame');
    frame.pts = 0n;
    packet.alloc();
    must(await encoder.sendFrame(frame), 'a picture');
    must(await encoder.sendFrame(null), 'the end');
    must(await encoder.receivePacket(packet), 'encoding');
    const sets = unitsOf(encoder.extraData as Buffer).filter((unit) => PARAMETER_SETS.includes(typeOf(unit)));
    const units = unitsOf(Buffer.from(packet.data as Buffer)).filter((unit) => typeOf(unit) < 32);
    return {
      record: decoderRecord(sets),
      samples: Buffer.concat(units.flatMap((unit) => [u32(unit.length), unit])),
    };
  } finally {
    options.free();
    frame.free();
    packet.free();
    encoder.freeContext();
  }
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
