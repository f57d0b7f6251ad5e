import { decodeQR, type Image } from 'qr/decode.js';

/** Time for second looks at one picture. The page stays quick: it only waits. */
const SECOND_LOOKS_MS = 150;

self.onmessage = ({ data }: MessageEvent<Image>) => {
  let text: string | null = null;
  try {
    text = decodeQR(data, { timeLimit: SECOND_LOOKS_MS });
  } catch {
    // There is no code in the picture, or not all of one.
  }
  self.postMessage(text);
};

// Says that it is there to read.
self.postMessage(null);
