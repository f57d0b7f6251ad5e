import type { FrameIdentity } from '@framelift/contract';

/** Pairing data that survives a restart of the frame. */
export interface Pairing {
  readonly token: string;
  /** As last reported by the server; shown while there is no network. */
  readonly frame: FrameIdentity;
}

export interface PairingStore {
  read(): Pairing | null;
  write(pairing: Pairing): void;
  wipe(): void;
}

const KEY = 'framelift.frame';

/**
 * Stores the pairing in the browser's local storage. A cookie would also be sent with the calls of a member who logs in
 * in the same browser, and the two could not be told apart. Only our own scripts can read the storage (the page loads
 * no others, and its content security policy allows none). The token authorises only the calls of this frame and
 * expires when the frame is unpaired.
 */
export function createPairingStore(storage: () => Storage): PairingStore {
  /** Fallback without local storage: the pairing lasts until the page is closed. */
  let kept: string | null = null;
  return {
    read() {
      try {
        kept = storage().getItem(KEY);
      } catch {
        // Storage is blocked: the value in memory is used.
      }
      return parse(kept);
    },
    write(pairing) {
      kept = JSON.stringify(pairing);
      try {
        storage().setItem(KEY, kept);
      } catch {
        // Storage is blocked: only the copy in memory is written.
      }
    },
    wipe() {
      kept = null;
      try {
        storage().removeItem(KEY);
      } catch {
        // Storage is blocked: only the copy in memory is cleared.
      }
    },
  };
}

function parse(text: string | null): Pairing | null {
  try {
    const { token, frame } = JSON.parse(text ?? 'null') as Pairing;
    const { id, name, owner } = frame;
    return [token, id, name, owner].every((part) => typeof part === 'string') ? { token, frame } : null;
  } catch {
    return null;
  }
}
