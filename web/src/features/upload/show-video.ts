import { mayBeAnimated } from '@framelift/contract';
import { shownSize } from '../../ui/crop/crop-rect.ts';
import { sniff } from './file-rules.ts';
import { guessPair } from './guess-pair.ts';
import { type ShownPicture, showPicture } from './show-picture.ts';

/** Timeout in milliseconds for the first frame of a video; after it the server centres the crop. */
const PATIENCE_MS = 8000;
/** Position of the still: the first frame of many videos is black. */
const STILL_AT = { share: 0.1, most: 3 };

/**
 * Extracts a still of a chosen video for cropping, upright as the browser plays it. An animation is shown itself.
 * @returns null if the browser cannot play the video
 */
export async function showVideo(file: File, signal: AbortSignal): Promise<ShownPicture | null> {
  const type = await sniff(file);
  if (type !== null && mayBeAnimated(type)) return showPicture(file, signal);
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  const stop = new AbortController();
  const end = () => stop.abort();
  const patience = setTimeout(end, PATIENCE_MS);
  signal.addEventListener('abort', end);
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = 'auto';
    video.src = url;
    await event(video, 'loadeddata', stop.signal);
    const source = { width: video.videoWidth, height: video.videoHeight };
    // A file with sound only has no size.
    if (source.width === 0 || source.height === 0) return null;
    const sought = event(video, 'seeked', stop.signal);
    video.currentTime = Number.isFinite(video.duration) ? Math.min(video.duration * STILL_AT.share, STILL_AT.most) : 0;
    await sought;

    const canvas = document.createElement('canvas');
    Object.assign(canvas, shownSize(source));
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
    const still = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
    if (!still || signal.aborted) return null;
    return { url: URL.createObjectURL(still), source, ground: null, pair: guessPair(canvas, source, file.name) };
  } catch {
    return null;
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', end);
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

function event(video: HTMLVideoElement, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(name, () => resolve(), { once: true, signal });
    video.addEventListener('error', () => reject(video.error), { once: true, signal });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
