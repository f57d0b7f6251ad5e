import type { Stage } from './stage.ts';

/** A page that draws nothing for so long, although something is due, is reloaded. */
const STUCK_MS = 60_000;
const LOOK_MS = 5000;
/** At most so many reloads within an hour: a page that is always stuck would show nothing else. */
const RELOADS = 3;
const HOUR_MS = 60 * 60_000;
const KEY = 'framelift.reloads';

/** Reloads the page as the last resort. @returns false if it was reloaded too often lately */
export function reloadRarely(storage: () => Storage, now: number, reload: () => void): boolean {
  try {
    const past = JSON.parse(storage().getItem(KEY) ?? '[]') as number[];
    const recent = past.filter((at) => now - at < HOUR_MS);
    if (recent.length >= RELOADS) return false;
    storage().setItem(KEY, JSON.stringify([...recent, now]));
  } catch {
    // Without a memory a loop could not be noticed.
    return false;
  }
  reload();
  return true;
}

/** Watches over the drawing while the page is visible. @returns a function that ends it */
export function watchStage(stage: Stage, stuck: () => void): () => void {
  let since: number | null = null;
  const timer = setInterval(() => {
    const { drawnAt, isDue } = stage.health();
    const isStuck = isDue && document.visibilityState === 'visible' && performance.now() - drawnAt > LOOK_MS;
    if (!isStuck) since = null;
    else if (since === null) since = performance.now();
    else if (performance.now() - since > STUCK_MS) {
      since = null;
      stuck();
    }
  }, LOOK_MS);
  return () => clearInterval(timer);
}
