/** A storage of the browser. Where it is denied or full, values last until the page is reloaded. */
export interface Stored {
  get(key: string): string | null;
  /** Stores a value; null removes it. */
  set(key: string, value: string | null): void;
}

function stored(open: () => Storage): Stored {
  const unstored = new Map<string, string>();
  return {
    get(key) {
      try {
        return unstored.get(key) ?? open().getItem(key);
      } catch {
        return unstored.get(key) ?? null;
      }
    },
    set(key, value) {
      unstored.delete(key);
      try {
        if (value === null) open().removeItem(key);
        else open().setItem(key, value);
      } catch {
        if (value !== null) unstored.set(key, value);
      }
    },
  };
}

export const localStored = stored(() => localStorage);
export const sessionStored = stored(() => sessionStorage);
