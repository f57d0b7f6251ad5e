import { useSyncExternalStore } from 'react';

/** The browser's offer to install the app, in Chromium only and missing from the DOM types. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>;
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function offer(prompt: InstallPrompt | null): void {
  offered = prompt;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer for the menu, instead of the browser's own banner. It comes soon after the page's start. */
export function watchInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer(event as InstallPrompt);
  });
  window.addEventListener('appinstalled', () => offer(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns how the app can be installed here: by a prompt, by hand on iOS, or not (again). */
export function useInstallWay(): 'prompt' | 'ios' | null {
  const prompt = useSyncExternalStore(subscribe, () => offered);
  if (prompt) return 'prompt';
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad calls itself a Mac, but has a touch screen.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  return isIos && !isInstalled ? 'ios' : null;
}

/** Shows the browser's question. Returns whether the person agreed. An offer is good for one question. */
export async function askToInstall(): Promise<boolean> {
  const prompt = offered;
  if (!prompt) return false;
  offer(null);
  await prompt.prompt();
  return (await prompt.userChoice).outcome === 'accepted';
}
