import { vi } from 'vitest';

/** What a test's camera did, and what it shows. */
export interface FakeCamera {
  /** Texts of the codes before it, one for each look; nothing after the last. */
  shows: string[];
  /** What asking for it is answered with instead of a picture. */
  refusal: Error | null;
  readonly asked: MediaStreamConstraints[];
  /** How many of its tracks are on now. */
  readonly on: () => number;
}

/** The browser's cameras; undefined as on a page without https. */
export function setMediaDevices(devices: Pick<MediaDevices, 'getUserMedia'> | undefined): void {
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: devices });
}

/**
 * Stands in for the browser's camera and its reader of codes; there are neither where these tests run. A photo is read
 * as the text that its file holds.
 */
export function aCamera(): FakeCamera {
  let on = 0;
  const camera: FakeCamera = { shows: [], refusal: null, asked: [], on: () => on };
  const aStream = () => {
    let live = true;
    on += 1;
    const track = {
      getSettings: () => ({ facingMode: 'environment' }),
      stop: () => {
        if (live) on -= 1;
        live = false;
      },
    };
    return Object.assign(new MediaStream(), { getTracks: () => [track], getVideoTracks: () => [track] }) as MediaStream;
  };
  vi.stubGlobal('isSecureContext', true);
  setMediaDevices({
    getUserMedia: async (wanted: MediaStreamConstraints) => {
      camera.asked.push(wanted);
      if (camera.refusal) throw camera.refusal;
      return aStream();
    },
  });
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    const text = await file.text();
    if (text === 'broken') throw new DOMException('The source image could not be decoded', 'InvalidStateError');
    return { text, close() {} };
  });
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['qr_code'];
      async detect(picture: HTMLVideoElement | { text: string }) {
        const text = 'text' in picture ? picture.text : camera.shows.shift();
        return text ? [{ rawValue: text }] : [];
      }
    },
  );
  return camera;
}
