import { pairingCode } from '@framelift/contract';

/** Longer texts hold no code of ours; a QR code can have several thousand letters. */
const LONGEST = 300;

/**
 * What a scanned or typed text means: the code of a frame as the frame shows it, or null. A text is a bare code, or an
 * address of our own origin with the parameter `device`. It is only read: an address is never opened.
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
