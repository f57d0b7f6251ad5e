import { type DatedVideo, moveTo, programmeTime } from './angle-stream.ts';

/*
 * How the pictures of several angles are held together. Each picture has a programme date: the moment at which it was
 * recorded. One angle is watched; the others follow it by these dates.
 */

/** Seconds of difference up to which nothing is done. */
const CLOSE = 0.1;
/**
 * From `far` seconds on the place is changed, below them the speed, by `nudge`: of a picture that is seen so little that
 * nobody notices, of one that is not seen yet so much that it is there soon.
 */
const SEEN = { far: 1, nudge: 0.05 };
const UNSEEN = { far: 0.5, nudge: 0.25 };
/**
 * A jump takes its time, in which the watched angle goes on: the next one aims further ahead by what the last one was late.
 * Between two of them the video has to play for a while, or a slow device would do nothing but jump.
 */
const JUMP_PAUSE_MS = 2500;
const LONGEST_LEAD = 2;
/** When a video last jumped, and how far ahead of the watched one it aims. */
const jumps = new WeakMap<DatedVideo, { at: number; lead: number; isNew: boolean }>();
/** Largest difference in seconds with which an angle takes the place of another. */
const IN_SYNC = 0.15;

export type Correction = { readonly kind: 'rate'; readonly rate: number } | { readonly kind: 'seek' };

/**
 * Returns what brings an angle back to the watched one.
 * @param drift seconds by which it is ahead
 */
export function correctionOf(drift: number, isSeen: boolean, isPaused = false): Correction {
  const distance = Math.abs(drift);
  const { far, nudge } = isSeen ? SEEN : UNSEEN;
  if (distance < CLOSE) return { kind: 'rate', rate: 1 };
  // The speed of a paused video changes nothing.
  if (distance >= far || isPaused) return { kind: 'seek' };
  return { kind: 'rate', rate: drift > 0 ? 1 - nudge : 1 + nudge };
}

/** Returns the seconds by which a video is ahead of the watched one, null while unknown. */
function driftOf(video: DatedVideo, watched: DatedVideo): number | null {
  const date = programmeTime(video);
  const due = programmeTime(watched);
  return date === null || due === null ? null : (date - due) / 1000;
}

/** Brings a video closer to the watched one. To be called several times a second. */
export function follow(video: DatedVideo, watched: DatedVideo, isSeen: boolean): void {
  // What waits for data would only be sent away from it again.
  if (video.seeking || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
  const drift = driftOf(video, watched);
  const due = programmeTime(watched);
  if (drift === null || due === null) return;
  const jump = jumps.get(video) ?? { at: Number.NEGATIVE_INFINITY, lead: 0, isNew: false };
  if (jump.isNew && !watched.paused) {
    jump.isNew = false;
    jump.lead = Math.min(Math.max(0, jump.lead - drift), LONGEST_LEAD);
  }
  const now = performance.now();
  let correction = correctionOf(drift, isSeen, watched.paused);
  if (correction.kind === 'seek' && now - jump.at < JUMP_PAUSE_MS) {
    correction = { kind: 'rate', rate: drift > 0 ? 1 - UNSEEN.nudge : 1 + UNSEEN.nudge };
  }
  if (correction.kind === 'rate') {
    video.playbackRate = correction.rate;
    return;
  }
  jumps.set(video, { at: now, lead: jump.lead, isNew: true });
  video.playbackRate = 1;
  moveTo(video, due + (watched.paused ? 0 : jump.lead * 1000));
}

/** Whether a video can take the place of the watched one: its picture is there, and of the same moment. */
export function canTakeOver(video: DatedVideo, watched: DatedVideo | undefined): boolean {
  if (video.seeking || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) return false;
  if (!watched || watched.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) return true;
  const drift = driftOf(video, watched);
  return drift === null || Math.abs(drift) <= IN_SYNC;
}
