import type Hls from 'hls.js';
import { loadCode } from '../../ui/load-code.ts';

/**
 * A video with the programme date of its start, as the HTML standard describes it. Safari has it for its own HLS player;
 * for hls.js it is added here.
 */
export type DatedVideo = HTMLVideoElement & { getStartDate?: () => Date };

/** Why a stream ended. `status` is that of the last answer, 0 without one. */
export type StreamFailure =
  | { readonly kind: 'network'; readonly status: number }
  | { readonly kind: 'media' }
  | { readonly kind: 'unsupported' };

/** The stream of one angle in its video element. */
export interface AngleStream {
  /** Seconds behind the broadcast, and how many of them the player needs; null while unknown. */
  readonly delay: () => { readonly seconds: number; readonly usual: number } | null;
  /** Goes to the newest picture that can be played without a pause. */
  readonly toLive: () => void;
  /** Loads the smallest picture only, or the best for the line and the size. */
  readonly setSmall: (isSmall: boolean) => void;
  /** Tries again after a failure. */
  readonly retry: () => void;
  readonly destroy: () => void;
}

interface Options {
  readonly isSmall: boolean;
  /** The programme date to begin with, in milliseconds; null to begin with the newest picture. */
  readonly startAt: () => number | null;
  readonly onFailure: (failure: StreamFailure) => void;
}

/** Seconds of played video that are kept. */
const BACK_BUFFER = 30;
/** Attempts to repair the decoder before the angle counts as failed. */
const REPAIRS = 2;
/** Seconds that browsers keep between the newest picture and what plays; used where the player does not tell. */
const NATIVE_DELAY = 6;

/** Returns the programme date of the picture shown, in milliseconds; null while unknown. */
export function programmeTime(video: DatedVideo): number | null {
  const start = video.getStartDate?.().getTime();
  return start === undefined || Number.isNaN(start) ? null : start + video.currentTime * 1000;
}

/** Moves a video to a programme date, as far as it can be played. */
export function moveTo(video: DatedVideo, date: number): void {
  const now = programmeTime(video);
  if (now === null) return;
  const target = video.currentTime + (date - now) / 1000;
  const { seekable } = video;
  const range = seekable.length > 0 ? [seekable.start(0), seekable.end(seekable.length - 1)] : null;
  video.currentTime = range ? Math.min(Math.max(target, range[0] ?? 0), range[1] ?? target) : target;
}

const hasMediaSource = () => 'MediaSource' in window || 'ManagedMediaSource' in window;

/** Whether several streams may play at once: iPhones without Media Source Extensions decode one well. */
export const playsSeveral = hasMediaSource;

/**
 * Opens a stream by hls.js, or by the browser itself where it has no Media Source Extensions.
 * @throws if the code of hls.js cannot be loaded
 */
export async function openStream(video: DatedVideo, url: string, options: Options): Promise<AngleStream> {
  if (!hasMediaSource()) return openNative(video, url, options);
  const [{ default: Hls }, { default: workerPath }] = await Promise.all([
    loadCode(() => import('hls.js')),
    loadCode(() => import('hls.js/dist/hls.worker.js?url')),
  ]);
  return Hls.isSupported() ? openByScript(Hls, workerPath, video, url, options) : openNative(video, url, options);
}

const NO_STREAM: AngleStream = { delay: () => null, toLive() {}, setSmall() {}, retry() {}, destroy() {} };

function openNative(video: DatedVideo, url: string, { startAt, onFailure }: Options): AngleStream {
  if (video.canPlayType('application/vnd.apple.mpegurl') === '') {
    onFailure({ kind: 'unsupported' });
    return NO_STREAM;
  }
  const onError = () =>
    onFailure({ kind: video.error?.code === MediaError.MEDIA_ERR_DECODE ? 'media' : 'network', status: 0 });
  const onReady = () => {
    const date = startAt();
    if (date !== null) moveTo(video, date);
  };
  const edge = () => (video.seekable.length > 0 ? video.seekable.end(video.seekable.length - 1) : null);
  const delay = () => {
    const end = edge();
    return end === null ? null : { seconds: end - video.currentTime, usual: NATIVE_DELAY };
  };
  const load = () => {
    video.src = url;
  };
  video.addEventListener('error', onError);
  video.addEventListener('loadedmetadata', onReady);
  load();
  return {
    delay,
    toLive: () => {
      const end = edge();
      if (end !== null) video.currentTime = end - NATIVE_DELAY;
    },
    setSmall: () => {},
    retry: load,
    destroy: () => {
      video.removeEventListener('error', onError);
      video.removeEventListener('loadedmetadata', onReady);
      video.removeAttribute('src');
      video.load();
    },
  };
}

function openByScript(
  Player: typeof Hls,
  workerPath: string,
  video: DatedVideo,
  url: string,
  { isSmall, startAt, onFailure }: Options,
): AngleStream {
  const hls = new Player({
    backBufferLength: BACK_BUFFER,
    capLevelToPlayerSize: !isSmall,
    // The content security policy allows workers from files only.
    workerPath,
    ...(isSmall && { startLevel: 0 }),
  });
  const setSmall = (small: boolean) => {
    hls.capLevelToPlayerSize = !small;
    hls.autoLevelCapping = small ? 0 : -1;
    // What is loaded already is replaced by the better picture.
    if (!small && hls.levels.length > 1) hls.nextLevel = -1;
  };
  hls.autoLevelCapping = isSmall ? 0 : -1;
  video.getStartDate = () => new Date((hls.playingDate?.getTime() ?? Number.NaN) - video.currentTime * 1000);
  let repairs = 0;
  hls.on(Player.Events.ERROR, (_event, { fatal, type, response }) => {
    if (!fatal) return;
    if (type === Player.ErrorTypes.NETWORK_ERROR) onFailure({ kind: 'network', status: response?.code ?? 0 });
    else if (type === Player.ErrorTypes.MEDIA_ERROR && repairs++ < REPAIRS) hls.recoverMediaError();
    else onFailure({ kind: 'media' });
  });
  // Begins where the watched angle is: its playlist tells which date is where.
  hls.once(Player.Events.LEVEL_LOADED, (_event, { details }) => {
    const date = startAt();
    const first = details.fragments.find(({ programDateTime }) => programDateTime !== null);
    if (date === null || !first?.programDateTime) return;
    const place = first.start + (date - first.programDateTime) / 1000;
    if (place >= details.fragmentStart && place < details.edge) hls.startLoad(place);
  });
  hls.attachMedia(video);
  hls.loadSource(url);
  return {
    delay: () => (hls.targetLatency === null ? null : { seconds: hls.latency, usual: hls.targetLatency }),
    toLive: () => {
      if (hls.liveSyncPosition !== null) video.currentTime = hls.liveSyncPosition;
    },
    setSmall,
    retry: () => {
      repairs = 0;
      hls.loadSource(url);
    },
    destroy: () => {
      delete video.getStartDate;
      hls.destroy();
    },
  };
}
