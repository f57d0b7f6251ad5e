import { decodeQR, type Image } from 'qr/decode.js';

/** Time limit in milliseconds for repeated attempts on one picture. The page only waits, so it stays responsive. */
const SECOND_LOOKS_MS = 150;

self.onmessage = ({ data }: MessageEvent<Image>) => {
  let text: string | null = null;
  try {
    text = decodeQR(data, { timeLimit: SECOND_LOOKS_MS });
  } catch {
    // The picture contains no complete code.
  }
  self.postMessage(text);
};

// Signals that the worker is ready.
self.postMessage(null);
