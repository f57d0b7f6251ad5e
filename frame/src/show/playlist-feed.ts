import type { FramePlaylist } from '@framelift/contract';
import { type FrameApi, Refusal } from '../api.ts';
import type { FileStore } from './file-store.ts';

export interface PlaylistFeed {
  /** Asks for the playlist now: the network is back, or links have ended. */
  refresh(): void;
  stop(): void;
}

export interface FeedParts {
  readonly api: FrameApi;
  readonly token: string;
  readonly store: FileStore;
  /** Called with each version, first with the one that this device has kept. */
  readonly changed: (playlist: FramePlaylist) => void;
  /** Called if the server no longer knows this frame. */
  readonly unpaired: () => void;
}

/** Polling interval while the stream of events is open, and while it is not. */
const POLL_MS = { behindEvents: 5 * 60_000, alone: 30_000 };
const RETRY_MS = { first: 1000, most: 60_000 };
/** Links are renewed so long before they end. */
const RENEW_MS = 30 * 60_000;

/** Follows the playlist of this frame: by events, behind them by polling, and without a network from this device. */
export function followPlaylist({ api, token, store, changed, unpaired }: FeedParts): PlaylistFeed {
  let present: FramePlaylist | null = null;
  let stopped = false;
  let isOpen = false;
  let asking: Promise<void> | null = null;
  let askAgain = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const hangUp = new AbortController();

  const backoff = () => Math.min(RETRY_MS.first * 2 ** Math.min(failures, 10), RETRY_MS.most);
  const schedule = () => {
    clearTimeout(timer);
    if (stopped) return;
    const poll = isOpen ? POLL_MS.behindEvents : POLL_MS.alone;
    timer = setTimeout(ask, failures > 0 ? Math.min(backoff(), poll) : poll);
  };

  function ask(): void {
    if (stopped) return;
    if (asking) {
      askAgain = true;
      return;
    }
    asking = update().finally(() => {
      asking = null;
      if (askAgain && !stopped) {
        askAgain = false;
        ask();
      } else schedule();
    });
  }

  async function update(): Promise<void> {
    const linksEnd = present ? Date.parse(present.expires_at) - RENEW_MS : 0;
    const known = present && Date.now() < linksEnd ? present.version : undefined;
    let playlist: FramePlaylist | null;
    try {
      playlist = await api.playlist(token, known);
      failures = 0;
    } catch (error) {
      failures++;
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 401 && !stopped) unpaired();
      return;
    }
    if (stopped || !playlist) return;
    present = playlist;
    changed(playlist);
    // Where nothing can be stored the show goes on while the page is open.
    await store.writeNote(JSON.stringify(playlist)).catch(() => {});
  }

  async function listen(): Promise<void> {
    let attempts = 0;
    while (!stopped) {
      try {
        await api.events(token, hangUp.signal, (event) => {
          isOpen = true;
          attempts = 0;
          if (event.name === 'unpaired') unpaired();
          else if (event.name === 'playlist' && event.version !== present?.version) ask();
        });
      } catch (error) {
        if (error instanceof Refusal && error.status === 401 && !stopped) return unpaired();
      }
      if (isOpen && !stopped) {
        isOpen = false;
        schedule();
      }
      // Spread: after a restart of the server all frames would come back in the same second.
      const delay = Math.min(RETRY_MS.first * 2 ** Math.min(attempts++, 10), RETRY_MS.most);
      await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random() / 2)));
    }
  }

  async function start(): Promise<void> {
    const kept = parse(await store.readNote().catch(() => null));
    if (stopped) return;
    if (kept) {
      present = kept;
      changed(kept);
    }
    ask();
    await listen();
  }

  void start();
  return {
    refresh() {
      // Without a version the server answers with new links.
      if (present) present = { ...present, expires_at: new Date(0).toISOString() };
      ask();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      hangUp.abort();
    },
  };
}

function parse(note: string | null): FramePlaylist | null {
  try {
    const playlist = JSON.parse(note ?? 'null') as FramePlaylist | null;
    return playlist && Array.isArray(playlist.items) && playlist.options ? playlist : null;
  } catch {
    return null;
  }
}
