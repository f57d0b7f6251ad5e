import type { AVPixelFormat } from 'node-av/constants';
import { avGetPixFmtName, type CodecContext, type FormatContext, Frame, Packet, type Stream } from 'node-av/lib';
import { comparedSize, halvesMatch, isSqueezed } from '../formats/pair-halves.ts';
import { pairOfName } from '../formats/pair-name.ts';
import { type Packing, possiblePackings } from '../formats/pair-places.ts';
import { type Eye, type EyeDoubt, possiblePacking, storedEye } from './eye.ts';
import { createGraph } from './filter-graph.ts';
import type { Rotation } from './rotation.ts';

/** Number of frames in which two eyes are looked for, from the first one on, until one has contrast. */
const FRAMES_COMPARED = 100;

/**
 * Finds the eyes of a video that has the shape or the name of a pair and whose halves show the same scene. If neither
 * speaks for a pair, or the halves are not quite alike, there is no eye: the pictures must be looked at. So must those of
 * an animation, whose shape is anything: two drawings side by side are no pair. Ends in another frame.
 */
export async function untaggedEye(
  format: FormatContext,
  decoder: CodecContext,
  stream: Stream,
  frame: Frame,
  {
    aspect,
    name,
    turn,
    animated,
  }: { readonly aspect: number; readonly name: string; readonly turn: Rotation; readonly animated: boolean },
): Promise<{ readonly eye: Eye | null; readonly doubt: EyeDoubt | null } | null> {
  const named = pairOfName(name);
  const told = named?.packing ?? possiblePacking(aspect);
  const packings = told ? [told] : possiblePackings(aspect);
  const packet = new Packet();
  packet.alloc();
  try {
    for (let count = 0, ended = false; count < FRAMES_COMPARED; count++) {
      let known = false;
      for (const packing of packings) {
        const grey = await greyOf(frame, packing, turn);
        const match = grey && halvesMatch(grey, packing, true);
        known ||= match !== null;
        if (!match) continue;
        if (!named && (animated || !(told && halvesMatch(grey, packing))))
          return { eye: null, doubt: { packing, isPair: false } };
        const second = named?.second ?? null;
        const squeezed = named?.squeezed ?? isSqueezed(packing, aspect);
        const eye = storedEye({ packing, second: second ?? false, squeezed }, turn);
        return { eye, doubt: second === null ? { packing, isPair: true } : null };
      }
      if (known) return null;
      frame.unref();
      while ((await decoder.receiveFrame(frame)) < 0) {
        if (ended) return null;
        ended = (await format.readFrame(packet)) < 0;
        if (ended || packet.streamIndex === stream.index) await decoder.sendPacket(ended ? null : packet);
        if (!ended) packet.unref();
      }
    }
    return null;
  } finally {
    packet.free();
  }
}

/** Returns the brightness of an upright frame at the size at which halves are compared. */
async function greyOf(frame: Frame, packing: Packing, { filters }: Rotation): Promise<Uint8Array | null> {
  const { width, height } = comparedSize(packing);
  const name = avGetPixFmtName(frame.format as AVPixelFormat);
  const args = `video_size=${frame.width}x${frame.height}:pix_fmt=${name}:time_base=1/25`;
  const small = new Frame();
  small.alloc();
  const graph = await createGraph(
    { kind: 'buffer', args },
    [...filters, `scale=${width}:${height}:flags=area`, 'format=gray'],
    1,
  );
  try {
    await graph.put(frame);
    if (!(await graph.take(small))) return null;
    const data = small.data?.[0] as Buffer;
    const stride = small.linesize[0] as number;
    const grey = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) grey.set(data.subarray(y * stride, y * stride + width), y * width);
    return grey;
  } finally {
    graph.free();
    small.free();
  }
}
