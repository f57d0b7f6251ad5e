/** Source of a code: the camera's video or a photo. */
export type Picture = HTMLVideoElement | ImageBitmap;

export interface CodeReader {
  /**
   * Returns the text of a QR code in the picture, or null. One call at a time.
   * @throws when no reader is available
   */
  read(picture: Picture): Promise<string | null>;
  close(): void;
}

/**
 * The part of the Shape Detection API that is used; not every browser supports it, and TypeScript has no types for it.
 */
interface Detector {
  detect(picture: Picture): Promise<readonly { readonly rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

/** Longest side of the searched picture in pixels. */
const SIDE = 960;
/**
 * Longest side for a second search of a photo: where the code fills it, coarse and blurred modules are detected better.
 */
const SMALL_SIDE = 480;

/**
 * Uses the browser's own detector if it works, our own in a worker otherwise. Resolves when it is ready to read.
 * @throws when our own cannot be loaded
 */
export async function openReader(): Promise<CodeReader> {
  const detector = await browserDetector();
  if (!detector) return workerReader();
  let own: Promise<CodeReader> | null = null;
  let usable = true;
  let closed = false;
  return {
    async read(picture) {
      if (usable) {
        try {
          return (await detector.detect(picture))[0]?.rawValue ?? null;
        } catch {
          // Some phones have the class but not the service behind it.
          usable = false;
        }
      }
      if (closed) return null;
      own ??= workerReader();
      return (await own).read(picture);
    },
    close() {
      closed = true;
      own?.then(
        (reader) => reader.close(),
        () => {},
      );
    },
  };
}

async function browserDetector(): Promise<Detector | null> {
  const Detector = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  try {
    const formats = await Detector?.getSupportedFormats();
    return Detector && formats?.includes('qr_code') ? new Detector({ formats: ['qr_code'] }) : null;
  } catch {
    return null;
  }
}

async function workerReader(): Promise<CodeReader> {
  const worker = new Worker(new URL('./decode.worker.ts', import.meta.url), { type: 'module' });
  const answer = () =>
    new Promise<string | null>((resolve, reject) => {
      worker.onmessage = (event: MessageEvent<string | null>) => resolve(event.data);
      worker.onerror = () => reject(new Error('The reader of codes could not be loaded'));
    });
  await answer();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const decode = async (picture: Picture, side: number) => {
    const [width, height] =
      'videoWidth' in picture ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
    const scale = Math.min(1, side / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    if (!context || canvas.width === 0 || canvas.height === 0) return null;
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    worker.postMessage({ data, width: canvas.width, height: canvas.height }, [data.buffer]);
    return answer();
  };
  return {
    async read(picture) {
      const text = await decode(picture, SIDE);
      return text ?? ('videoWidth' in picture ? null : decode(picture, SMALL_SIDE));
    },
    close: () => worker.terminate(),
  };
}
