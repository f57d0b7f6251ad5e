import { offerNewVersion } from './ui/load-code.ts';

/** A page that stays open asks for a new version when it is looked at again, at most this often. */
const CHECK_MS = 30 * 60_000;

/**
 * Registers the service worker of the app, which shows a page of its own without a network. Browsers without service
 * workers, or that deny storage, do without. Development has no worker: it would keep files that were just edited.
 */
export async function startAppWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    // The first worker takes over a page that is as new as itself.
    let isFirst = navigator.serviceWorker.controller === null;
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      if (!isFirst) void offerNewVersion();
      isFirst = false;
    });
    let checkedAt = Date.now();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_MS) return;
      checkedAt = Date.now();
      // Without a network the next look checks.
      registration.update().catch(() => {});
    });
  } catch (error) {
    console.warn('This browser keeps no offline page', error);
  }
}
