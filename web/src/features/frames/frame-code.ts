import { pairingCode } from '@framelift/contract';

/** Length limit: longer texts contain no frame code; a QR code can hold several thousand characters. */
const LONGEST = 300;

/**
 * Extracts the frame code from a scanned or typed text and formats it as the frame shows it; null if there is none. The
 * text is a bare code, or a URL of our own origin with the parameter `device`. It is only parsed: the URL is never
 * opened.
 */
export function frameCodeOf(text: string, origin: string): string | null {
  if (text.length > LONGEST) return null;
  const code = pairingCode.safeParse(text);
  if (code.success) return code.data;
  try {
    const url = new URL(text.trim());
    if (url.origin !== origin || url.username !== '' || url.password !== '') return null;
    return pairingCode.safeParse(url.searchParams.get('device')).data ?? null;
  } catch {
    return null;
  }
}
