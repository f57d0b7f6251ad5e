import { useSyncExternalStore } from 'react';

/** Storage key of the frame named by a link (parameter `device`), kept until the member confirms or rejects it. */
const KEY = 'deviceID';
const listeners = new Set<() => void>();

/** Ids come from a link, so only values in the format of an id are accepted. */
const ID = /^[\w-]{1,64}$/;

export function rememberDevice(id: string | null): void {
  try {
    if (id === null) localStorage.removeItem(KEY);
    else if (ID.test(id)) localStorage.setItem(KEY, id);
  } catch {
    // Without storage the link has to be opened again.
  }
  for (const listener of listeners) listener();
}

function read(): string | null {
  try {
    const id = localStorage.getItem(KEY);
    return id !== null && ID.test(id) ? id : null;
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useRememberedDevice = (): string | null => useSyncExternalStore(subscribe, read);
