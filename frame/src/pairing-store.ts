import type { FrameIdentity } from '@framelift/contract';

/** What a paired frame keeps over a restart. */
export interface Pairing {
  readonly token: string;
  /** As it was when the server last said; shown while there is no network. */
  readonly frame: FrameIdentity;
}

export interface PairingStore {
  read(): Pairing | null;
  write(pairing: Pairing): void;
  wipe(): void;
}

const KEY = 'framelift.frame';

/**
 * The pairing in the browser's local storage. A cookie would go along with the calls of a member who logs in in the same
 * browser, and could not be told from theirs. What lies here can be read by our own scripts alone (the page loads no
 * others, and its security policy allows none), opens nothing but this frame's own calls, and ends when it is unpaired.
 */
export function createPairingStore(storage: () => Storage): PairingStore {
  /** Where storage is forbidden, the pairing lasts until the page is left. */
  let kept: string | null = null;
  return {
    read() {
      try {
        kept = storage().getItem(KEY);
      } catch {
        // As above.
      }
      return parse(kept);
    },
    write(pairing) {
      kept = JSON.stringify(pairing);
      try {
        storage().setItem(KEY, kept);
      } catch {
        // As above.
      }
    },
    wipe() {
      kept = null;
      try {
        storage().removeItem(KEY);
      } catch {
        // As above.
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
