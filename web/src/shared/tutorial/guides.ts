import { useSyncExternalStore } from 'react';
import { localStored } from '../../api/stored.ts';

/**
 * Guides of the tutorial in the order of a first conversion: home, upload dialog, cropper, saving of the result, and
 * the orders. Each is shown where its part of the app is visible.
 */
export const GUIDES = ['guideList', 'uploadGuide', 'cropperGuide', 'saveImageGuide', 'orderGuideList'] as const;
export type Guide = (typeof GUIDES)[number];

const keyOf = (userId: string) => `guides-${userId}`;
const listeners = new Set<() => void>();

const read = (userId: string): string => localStored.get(keyOf(userId)) ?? '';

function write(userId: string, guides: readonly Guide[]): void {
  localStored.set(keyOf(userId), guides.join(' ') || null);
  for (const listener of listeners) listener();
}

const parse = (text: string): Guide[] => GUIDES.filter((guide) => text.split(' ').includes(guide));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the guides that this member has not seen yet in this browser. Empty until the tutorial is started. */
export function usePendingGuides(userId: string): readonly Guide[] {
  return parse(
    useSyncExternalStore(
      subscribe,
      () => read(userId),
      () => read(userId),
    ),
  );
}

/** Makes all guides pending. */
export const beginTutorial = (userId: string): void => write(userId, GUIDES);

/** Marks this guide as seen. */
export function endGuide(userId: string, guide: Guide): void {
  write(
    userId,
    parse(read(userId)).filter((one) => one !== guide),
  );
}

export const endTutorial = (userId: string): void => write(userId, []);
