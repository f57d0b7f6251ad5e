import { useSyncExternalStore } from 'react';
import { localStored } from './stored.ts';

/** Storage key of the frame named by a link (parameter `device`), kept until the member confirms or rejects it. */
const KEY = 'deviceID';
const listeners = new Set<() => void>();

/** Ids come from a link, so only values in the format of an id are accepted. */
const ID = /^[\w-]{1,64}$/;

export function rememberDevice(id: string | null): void {
  if (id === null || ID.test(id)) localStored.set(KEY, id);
  for (const listener of listeners) listener();
}

function read(): string | null {
  const id = localStored.get(KEY);
  return id !== null && ID.test(id) ? id : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useRememberedDevice = (): string | null => useSyncExternalStore(subscribe, read, () => null);
