import { LIMITS } from '@framelift/contract';
import { type CodeReader, openReader } from './code-reader.ts';

/**
 * Why the scan found nothing: no code within the time limit, only irrelevant codes, permission denied, no camera, a
 * page without HTTPS, or a failure of the camera or reader.
 */
export type ScanProblem = 'nothing' | 'foreign' | 'refused' | 'noCamera' | 'insecure' | 'failed';

/** Delay between two reads of the camera in milliseconds; shorter ones would only heat up the phone. */
const PAUSE_MS = 80;
const OVER = Symbol('over');

interface Options {
  /** Interprets the text of a code; null if it is not relevant. */
  readonly accept: (text: string) => string | null;
  /** Called when the camera's picture is shown; `mirrored` if the camera faces the user. */
  readonly onPlaying: (mirrored: boolean) => void;
  /** Ends the scan and releases the camera. */
  readonly signal: AbortSignal;
}

/**
 * Shows the camera in the video element and searches for a code for 5 s. The camera is off again when the promise
 * settles.
 */
export async function scanCamera(
  video: HTMLVideoElement,
  { accept, onPlaying, signal }: Options,
): Promise<{ found: string } | { problem: ScanProblem }> {
  if (!navigator.mediaDevices?.getUserMedia) return { problem: window.isSecureContext ? 'failed' : 'insecure' };
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
    });
  } catch (error) {
    return { problem: problemOf(error) };
  }
  const letGo = () => {
    for (const track of stream.getTracks()) track.stop();
    // Another scan may be using the video element by now.
    if (video.srcObject === stream) video.srcObject = null;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reader: CodeReader | undefined;
  try {
    signal.throwIfAborted();
    // Released immediately, not after the current read: on a hidden page it may never finish.
    signal.addEventListener('abort', letGo, { once: true });
    reader = await openReader();
    signal.throwIfAborted();
    video.srcObject = stream;
    await video.play();
    onPlaying(stream.getVideoTracks()[0]?.getSettings().facingMode !== 'environment');

    const over = new Promise<typeof OVER>((resolve) => {
      timer = setTimeout(resolve, LIMITS.qr.timeoutMs, OVER);
      signal.addEventListener('abort', () => resolve(OVER), { once: true });
    });
    let problem: ScanProblem = 'nothing';
    for (;;) {
      const text = await Promise.race([over, reader.read(video)]);
      if (text === OVER) return { problem };
      const found = text === null ? null : accept(text);
      if (found !== null) return { found };
      if (text !== null) problem = 'foreign';
      const pause = new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if ((await Promise.race([over, pause])) === OVER) return { problem };
    }
  } catch {
    return { problem: 'failed' };
  } finally {
    clearTimeout(timer);
    reader?.close();
    letGo();
  }
}

function problemOf(error: unknown): ScanProblem {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'refused';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'noCamera';
    default:
      return 'failed';
  }
}
