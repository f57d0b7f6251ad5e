import { AVDISCARD_ALL } from 'node-av/constants';
import { FormatContext, Packet, type Stream } from 'node-av/lib';
import { EngineError } from '../errors.ts';
import type { CallHooks } from '../process/calls.ts';
import { asDamage, must, NO_TIME, withOptions } from './av.ts';
import { openFormat, type Video } from './open-video.ts';

/**
 * Copies the pictures and sound of a video that browsers play to an MP4 whose index comes first. Nothing else is copied:
 * phones and cameras write the place, the owner's name and the serial number into the container and into further tracks.
 */
export async function copyVideo(
  { path, type, pictures, sound }: Video,
  outPath: string,
  { signal }: Pick<CallHooks, 'signal'> = {},
): Promise<void> {
  const from = await openFormat(path, type);
  const to = new FormatContext();
  const packet = new Packet();
  packet.alloc();
  try {
    must(await from.findStreamInfo(), 'reading the tracks');
    must(to.allocOutputContext2(null, 'mp4', `file:${outPath}`), 'the MP4');
    const targets = new Map<number, Stream>();
    for (const stream of from.streams) {
      if (stream.index !== pictures.track && !sound.includes(stream.index)) {
        stream.discard = AVDISCARD_ALL;
        continue;
      }
      const target = to.newStream();
      must(stream.codecpar.copy(target.codecpar), 'describing a track');
      target.codecpar.codecTag = 0;
      target.timeBase = stream.timeBase;
      targets.set(stream.index, target);
    }
    must(await to.openOutput(), 'opening the MP4');
    const options = { movflags: '+faststart', fflags: '+bitexact' };
    must(await withOptions(options, (dictionary) => to.writeHeader(dictionary)), 'beginning the MP4');
    while ((await from.readFrame(packet)) >= 0) {
      if (signal?.aborted) throw new EngineError('conversionCancelled', 'cancelled');
      const source = from.streams[packet.streamIndex];
      const target = targets.get(packet.streamIndex);
      if (source && target && packet.dts !== NO_TIME) {
        packet.streamIndex = target.index;
        packet.rescaleTs(source.timeBase, target.timeBase);
        must(await to.interleavedWriteFrame(packet), 'copying a track');
      }
      packet.unref();
    }
    must(await to.writeTrailer(), 'ending the MP4');
    await to.closeOutput();
  } catch (error) {
    throw asDamage(error);
  } finally {
    packet.free();
    to.freeContext();
    await from.closeInput();
  }
}
