import { open } from 'node:fs/promises';
import { FormatContext, Packet } from 'node-av/lib';
import type { AudioAndSubtitles, TrackPacket } from './audio-and-subtitles.ts';
import { must, NO_TIME, withOptions } from './av.ts';
import { describe, type EncoderSettings } from './encode.ts';
import type { Segments } from './segments.ts';

/** Flag of a track header in an MP4. */
const TRACK_ENABLED = 1;

/**
 * Joins finished segments, audio and subtitles into an MP4 whose index comes first, so that players start before the
 * whole file is loaded. Only audio is re-encoded. The last picture lasts as long as the audio.
 *
 * @param end end of the last picture in ticks
 */
export async function joinVideo(
  path: string,
  segments: Segments,
  settings: EncoderSettings,
  audioAndSubtitles: AudioAndSubtitles,
  end: number,
  onPacket: () => void,
): Promise<void> {
  const format = new FormatContext();
  must(format.allocOutputContext2(null, 'mp4', `file:${path}`), 'the MP4');
  try {
    const extradata = Buffer.from(segments.finished[0]?.extradata ?? '', 'base64');
    const pictures = format.newStream();
    describe(pictures.codecpar, settings, extradata);
    const clock = { num: 1, den: settings.ticks };
    pictures.timeBase = clock as typeof pictures.timeBase;
    const others = audioAndSubtitles.tracks.map((track) => {
      const stream = format.newStream();
      track.describe(stream);
      stream.timeBase = track.timeBase as typeof stream.timeBase;
      return stream;
    });
    must(await format.openOutput(), 'opening the MP4');
    const options = { movflags: '+faststart', video_track_timescale: settings.ticks, fflags: '+bitexact' };
    must(await withOptions(options, (dictionary) => format.writeHeader(dictionary)), 'beginning the MP4');

    let next = await audioAndSubtitles.next();
    const writeTrackPacket = async ({ track, packet, timeBase }: TrackPacket) => {
      const stream = others[track] as (typeof others)[number];
      packet.streamIndex = stream.index;
      packet.rescaleTs(timeBase, stream.timeBase);
      if (packet.dts === NO_TIME) packet.dts = packet.pts;
      must(await format.interleavedWriteFrame(packet), 'writing sound');
      packet.free();
    };
    for await (const { packet, seconds, last } of packetsOf(segments, settings)) {
      while (next && (last || next.seconds <= seconds)) {
        await writeTrackPacket(next);
        next = await audioAndSubtitles.next();
      }
      if (last) {
        const until = Math.max(end, Math.round(audioAndSubtitles.soundEnd * settings.ticks));
        packet.duration = BigInt(Math.max(1, until - Number(packet.pts)));
      }
      packet.streamIndex = pictures.index;
      packet.rescaleTs(clock, pictures.timeBase);
      must(await format.interleavedWriteFrame(packet), 'writing pictures');
      packet.free();
      onPacket();
    }
    must(await format.writeTrailer(), 'ending the MP4');
    await format.closeOutput();
    await hideSubtitles(path, audioAndSubtitles.tracks);
  } finally {
    format.freeContext();
  }
}

/**
 * Clears the flag of subtitle tracks that nobody marked as default: FFmpeg always enables the first one, and players
 * then show it.
 */
async function hideSubtitles(path: string, tracks: AudioAndSubtitles['tracks']): Promise<void> {
  const hidden = tracks.map(({ sound, isDefault }) => !sound && !isDefault);
  if (!hidden.includes(true)) return;
  const file = await open(path, 'r+');
  try {
    const boxes = async (from: number, to: number) => {
      const found: { readonly kind: string; readonly from: number; readonly to: number }[] = [];
      const head = Buffer.alloc(16);
      for (let at = from; at + 8 <= to; ) {
        await file.read(head, 0, 16, at);
        const wide = head.readUInt32BE(0) === 1;
        const size = wide ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
        if (size < 8) break;
        found.push({ kind: head.toString('latin1', 4, 8), from: at + (wide ? 16 : 8), to: at + size });
        at += size;
      }
      return found;
    };
    const index = (await boxes(0, (await file.stat()).size)).find(({ kind }) => kind === 'moov');
    const parts = index ? await boxes(index.from, index.to) : [];
    for (const [i, track] of parts.filter(({ kind }) => kind === 'trak').entries()) {
      // The first track are the pictures.
      if (!hidden[i - 1]) continue;
      const header = (await boxes(track.from, track.to)).find(({ kind }) => kind === 'tkhd');
      if (!header) continue;
      const flags = Buffer.alloc(1);
      await file.read(flags, 0, 1, header.from + 3);
      flags[0] = (flags[0] as number) & ~TRACK_ENABLED;
      await file.write(flags, 0, 1, header.from + 3);
    }
  } finally {
    await file.close();
  }
}

/** Yields the video packets of all segments in decoding order. */
async function* packetsOf(segments: Segments, { ticks, fps }: EncoderSettings) {
  let lastDts = Number.NEGATIVE_INFINITY;
  for (const [i, { packets }] of segments.finished.entries()) {
    const file = await open(segments.fileOf(i));
    try {
      for (const [k, entry] of packets.entries()) {
        const packet = new Packet();
        packet.alloc();
        const data = Buffer.alloc(entry.bytes);
        const { bytesRead } = await file.read(data, 0, entry.bytes);
        if (bytesRead !== entry.bytes) throw new Error(`segment ${i} is shorter than its list`);
        packet.data = data;
        packet.pts = BigInt(entry.pts);
        // Each segment's encoder restarts its decoding timestamps slightly before its first frame.
        const dts = Math.max(entry.dts, lastDts + 1);
        lastDts = dts;
        packet.dts = BigInt(Math.min(dts, entry.pts));
        packet.duration = BigInt(Math.round(ticks / fps));
        packet.isKeyframe = entry.key;
        const last = i === segments.finished.length - 1 && k === packets.length - 1;
        yield { packet, seconds: dts / ticks, last };
      }
    } finally {
      await file.close();
    }
  }
}
