import { AV_FRAME_DATA_STEREO3D, AV_FRAME_DATA_VIEW_ID } from 'node-av/constants';
import { type FormatContext, type Frame, Packet } from 'node-av/lib';
import { decodedFrames, onlyTrack, openDecoder } from './decode.ts';
import { type Eye, viewOfFrame } from './eye.ts';

/** Packets after which both views of a stream must have been seen. */
const PATIENCE = 60;

/** One moment of a video: its frame, and the second one where each eye has a frame of its own. */
export interface Moment {
  readonly frame: Frame;
  /** Null if eyes share the frame, or if the one of the other eye was lost. */
  readonly second: Frame | null;
}

export function freeMoment({ frame, second }: Moment): void {
  frame.free();
  second?.free();
}

/**
 * Looks for the second view of an MV-HEVC stream.
 * @returns which eye it is, as the message "3D reference displays" of the stream says; null if there is only one view
 */
export async function secondView(format: FormatContext, track: number): Promise<'left' | 'right' | 'unknown' | null> {
  const stream = onlyTrack(format, track);
  const decoder = await openDecoder(stream, 1, true);
  const packet = new Packet();
  packet.alloc();
  let base: number | null = null;
  let count = 0;
  try {
    for await (const frame of decodedFrames(format, decoder, stream, packet, { packets: 0 })) {
      const view = viewId(frame);
      const eye = viewOfFrame(frame.getSideData(AV_FRAME_DATA_STEREO3D));
      frame.free();
      base ??= view;
      if (view !== base) return eye ?? 'unknown';
      if (++count > PATIENCE) break;
    }
    return null;
  } finally {
    packet.free();
    decoder.freeContext();
  }
}

function viewId(frame: Frame): number {
  return frame.getSideData(AV_FRAME_DATA_VIEW_ID)?.readInt32LE(0) ?? 0;
}

/** Puts the frames of both eyes together, in their order in the file. A frame without its partner stays alone. */
export async function* moments(frames: AsyncGenerator<Frame>, eye: Eye): AsyncGenerator<Moment> {
  const belongTogether = eye.packing === 'views' ? areViews : areTurns;
  let waiting: Frame | null = null;
  try {
    for await (const frame of frames) {
      const first: Frame | null = waiting;
      waiting = null;
      if (first === null) waiting = frame;
      else if (areAlike(first, frame) && belongTogether(first, frame)) yield { frame: first, second: frame };
      else {
        waiting = frame;
        yield { frame: first, second: null };
      }
    }
    const last = waiting;
    waiting = null;
    if (last) yield { frame: last, second: null };
  } finally {
    waiting?.free();
  }
}

function areAlike(a: Frame, b: Frame): boolean {
  return a.width === b.width && a.height === b.height && a.format === b.format;
}

function areViews(first: Frame, second: Frame): boolean {
  return first.pts === second.pts && viewId(first) !== viewId(second);
}

/** Frames of H.264 and HEVC say of themselves which of two they are; others are taken by turns. */
function areTurns(first: Frame, second: Frame): boolean {
  const [a, b] = [first, second].map((frame) => viewOfFrame(frame.getSideData(AV_FRAME_DATA_STEREO3D)));
  return a === b ? a === null : a === 'left';
}

/** Bytes of a start code, and types of NAL units that only the second view of H.264 MVC has. */
const START_CODE = Buffer.from([0, 0, 1]);
const SUBSET_OF_PARAMETERS = 15;
const SLICE_OF_SECOND_VIEW = 20;

/**
 * Returns whether a packet of H.264 holds both views of MVC (Blu-ray 3D). Matroska calls them eyes that take turns, but
 * FFmpeg decodes one.
 */
export function holdsMvc(data: Buffer, extradata: Buffer | null): boolean {
  const isMvc = (head: number | undefined) =>
    head !== undefined && [SUBSET_OF_PARAMETERS, SLICE_OF_SECOND_VIEW].includes(head & 0x1f);
  // `avcC` begins with its version; units have lengths then, otherwise start codes.
  if (extradata?.[0] === 1) {
    const bytes = ((extradata[4] as number) & 3) + 1;
    for (let at = 0; at + bytes < data.length; at += bytes + data.readUIntBE(at, bytes))
      if (isMvc(data[at + bytes])) return true;
    return false;
  }
  for (let at = data.indexOf(START_CODE); at >= 0; at = data.indexOf(START_CODE, at + START_CODE.length))
    if (isMvc(data[at + START_CODE.length])) return true;
  return false;
}
