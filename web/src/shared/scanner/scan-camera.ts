import { LIMITS } from '@framelift/contract';
import { type CodeReader, openReader } from './code-reader.ts';

/**
 * Why nothing was found: no code within the time, only codes of something else, the camera not allowed, no camera, a
 * page without https, or a camera or reader that does not work.
 */
export type ScanProblem = 'nothing' | 'foreign' | 'refused' | 'noCamera' | 'insecure' | 'failed';

/** Between two looks at the camera's picture, in milliseconds; more would only warm the phone. */
const PAUSE_MS = 80;
const OVER = Symbol('over');

interface Options {
  /** What a code means here, or null when it means nothing. */
  readonly accept: (text: string) => string | null;
  /** The camera's picture is there; `mirrored` when it faces the person. */
  readonly onPlaying: (mirrored: boolean) => void;
  /** Ends the scan and lets the camera go. */
  readonly signal: AbortSignal;
}

/** Shows the camera in the video and looks for a code, for 5 s. The camera is off again whenever this settles. */
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
    // Another scan may show its camera there by now.
    if (video.srcObject === stream) video.srcObject = null;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reader: CodeReader | undefined;
  try {
    signal.throwIfAborted();
    // At once, not when the next look is over: on a hidden page that may be never.
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
