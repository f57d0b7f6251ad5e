import { type AnimatedType, mayBeAnimated } from '@framelift/contract/animation';
import type { Packet } from 'node-av/lib';
import { inSeconds, type TimeBase } from './av.ts';
import type { VideoType } from './video-info.ts';

/** Browsers show a frame that asks for at most `asked` seconds for `shown` seconds, in all types of animations. */
const TOO_SHORT = { asked: 0.01, shown: 0.1 };

/**
 * Gives the packets of an animation the times at which browsers show its frames. FFmpeg keeps delays that no browser
 * keeps, and shows a frame of a GIF without a delay as long as the one before.
 */
export class ShownTimes {
  readonly #type: AnimatedType;
  readonly #timeBase: TimeBase;
  #end = 0;

  private constructor(type: AnimatedType, timeBase: TimeBase) {
    this.#type = type;
    this.#timeBase = timeBase;
  }

  /** Returns null for videos: their times hold. */
  static of(type: VideoType, timeBase: TimeBase): ShownTimes | null {
    return mayBeAnimated(type) ? new ShownTimes(type, timeBase) : null;
  }

  /** Times the next packet of the pictures. */
  stamp(packet: Packet): void {
    const { num, den } = this.#timeBase;
    const asked =
      this.#type === 'gif' ? delayOfGif(packet.data ?? Buffer.alloc(0)) : inSeconds(packet.duration, this.#timeBase);
    const shown = asked <= TOO_SHORT.asked ? TOO_SHORT.shown : asked;
    const ticks = Math.round((shown * den) / num);
    packet.pts = BigInt(this.#end);
    packet.dts = packet.pts;
    packet.duration = BigInt(ticks);
    this.#end += ticks;
  }
}

/** Signature and screen; its flags state whether a table of colours follows. */
const GIF_HEADER = 13;

/** Returns the delay in seconds of the image in a packet: a control block holds for the next image alone. */
function delayOfGif(bytes: Buffer): number {
  let at = 0;
  let delay = 0;
  if (bytes.toString('latin1', 0, 3) === 'GIF') {
    const flags = bytes[10] ?? 0;
    at = GIF_HEADER + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  }
  while (bytes[at] === 0x21) {
    if (bytes[at + 1] === 0xf9 && at + 6 <= bytes.length) delay = bytes.readUInt16LE(at + 4) / 100;
    at += 2;
    for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1;
    at++;
  }
  return delay;
}
