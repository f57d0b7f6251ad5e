import { vi } from 'vitest';

/** Controls a test's camera and records its use. */
export interface FakeCamera {
  /** Texts of the codes that the camera sees, one for each read; none after the last. */
  shows: string[];
  /** Error with which camera access is refused; null grants it. */
  refusal: Error | null;
  readonly asked: MediaStreamConstraints[];
  /** Returns the number of active tracks. */
  readonly on: () => number;
}

/** Sets the browser's media devices; undefined as on a page without HTTPS. */
export function setMediaDevices(devices: Pick<MediaDevices, 'getUserMedia'> | undefined): void {
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: devices });
}

/**
 * Replaces the browser's camera and code reader, which do not exist in the test environment. A photo is read as the
 * text content of its file.
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
