import type { FrameFile } from '@framelift/contract';
import type { FileStore } from './file-store.ts';

/** Why a file is not here: it does not fit on this device, it arrived damaged, or its link has ended. */
export type DownloadFailure = 'full' | 'damaged' | 'gone';

export interface Downloads {
  /** Sets the files that are wanted, the most needed first. Others are removed when their space is needed. */
  want(files: readonly FrameFile[]): void;
  has(sha256: string): boolean;
  read(sha256: string): Promise<Blob | null>;
  /** True once all wanted files that fit are here. */
  isComplete(): boolean;
  /** Tries again at once, e.g. because the network is back. */
  retry(): void;
  stop(): void;
}

export interface DownloadParts {
  readonly store: FileStore;
  /** Called after a file has arrived or been given up. */
  readonly changed: () => void;
  readonly failed: (file: FrameFile, failure: DownloadFailure, detail: string) => void;
}

/** A connection without a byte for so long is given up. */
const SILENCE_MS = 30_000;
const RETRY_MS = { first: 2000, most: 60_000 };
/** A file that arrives damaged as often is not asked for again. */
const ATTEMPTS = 3;
/** Larger files are checked by their size only: a checksum needs all of a file in memory. */
const LARGEST_CHECKED = 256e6;

/** Keeps the wanted files on this device, one download after the other. */
export function createDownloads({ store, changed, failed }: DownloadParts): Downloads {
  let wanted: readonly FrameFile[] = [];
  let kept: Map<string, number> | null = null;
  /** How often each link has failed to give its file. */
  const failures = new Map<string, number>();
  /** Files for which there is no room while others are needed more. */
  const tooMuch = new Set<string>();
  let stopped = false;
  let running = false;
  let again = false;
  let delay = RETRY_MS.first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hangUp: AbortController | null = null;

  const isRefused = ({ sha256, url }: FrameFile) => tooMuch.has(sha256) || (failures.get(url) ?? 0) >= ATTEMPTS;
  const missing = () => wanted.find((file) => !kept?.has(file.sha256) && !isRefused(file));

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      kept ??= await store.list();
      changed();
      for (let file = missing(); file && !stopped; file = missing()) await fetchFile(file);
      if (!stopped) await removeUnwanted();
      delay = RETRY_MS.first;
    } catch {
      // No network, or a server that does not answer: tried again later.
      delay = Math.min(delay * 2, RETRY_MS.most);
      if (!stopped) timer = setTimeout(() => void run(), delay);
    } finally {
      running = false;
    }
    if (again && !stopped) {
      again = false;
      void run();
    }
  }

  /** @throws when the network fails */
  async function fetchFile(file: FrameFile): Promise<void> {
    if (!(await makeRoom(file))) {
      tooMuch.add(file.sha256);
      failed(file, 'full', `${file.size} bytes`);
      return changed();
    }
    if (stopped) return;
    hangUp = new AbortController();
    const blob = await download(file, hangUp);
    // The playlist has changed meanwhile.
    if (stopped || !wanted.some(({ sha256 }) => sha256 === file.sha256)) return;
    if (blob === null) {
      failures.set(file.url, ATTEMPTS);
      failed(file, 'gone', 'the link has ended');
    } else if (!(await isWhole(blob, file))) {
      failures.set(file.url, (failures.get(file.url) ?? 0) + 1);
      if (isRefused(file)) failed(file, 'damaged', `${blob.size} of ${file.size} bytes`);
    } else {
      try {
        await store.write(file.sha256, blob);
        kept?.set(file.sha256, file.size);
      } catch (error) {
        // The device is fuller than it said.
        tooMuch.add(file.sha256);
        failed(file, 'full', String(error));
      }
    }
    changed();
  }

  /**
   * Removes what is needed less until the file fits.
   * @returns false if everything that is kept is needed more
   */
  async function makeRoom(file: FrameFile): Promise<boolean> {
    const budget = await store.budget();
    const place = wanted.indexOf(file);
    const rank = (sha256: string) => {
      const at = wanted.findIndex((one) => one.sha256 === sha256);
      return at < 0 ? Number.POSITIVE_INFINITY : at;
    };
    const least = [...(kept ?? [])].map(([sha256, size]) => ({ sha256, size, rank: rank(sha256) }));
    least.sort((a, b) => b.rank - a.rank);
    let used = least.reduce((sum, { size }) => sum + size, 0);
    for (const one of least) {
      if (used + file.size <= budget) break;
      if (one.rank < place) return false;
      await store.remove(one.sha256);
      kept?.delete(one.sha256);
      used -= one.size;
    }
    return used + file.size <= budget;
  }

  async function removeUnwanted(): Promise<void> {
    const needed = new Set(wanted.map(({ sha256 }) => sha256));
    for (const sha256 of [...(kept?.keys() ?? [])]) {
      if (needed.has(sha256)) continue;
      await store.remove(sha256);
      kept?.delete(sha256);
    }
  }

  return {
    want(files) {
      const seen = new Set<string>();
      wanted = files.filter(({ sha256 }) => !seen.has(sha256) && seen.add(sha256));
      tooMuch.clear();
      const links = new Set(wanted.map(({ url }) => url));
      for (const url of [...failures.keys()]) if (!links.has(url)) failures.delete(url);
      void run();
    },
    has: (sha256) => kept?.has(sha256) ?? false,
    read: (sha256) => store.read(sha256),
    isComplete: () => kept !== null && missing() === undefined,
    retry() {
      delay = RETRY_MS.first;
      if (missing()) void run();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      hangUp?.abort();
    },
  };
}

/**
 * Downloads a file, resuming where the connection broke while there is progress.
 * @returns null if the server no longer has it
 * @throws when the network fails
 */
async function download(file: FrameFile, hangUp: AbortController): Promise<Blob | null> {
  const chunks: BlobPart[] = [];
  let received = 0;
  for (;;) {
    const before = received;
    let silence = setTimeout(() => hangUp.abort(), SILENCE_MS);
    try {
      const response = await fetch(file.url, {
        credentials: 'omit',
        cache: 'no-store',
        signal: hangUp.signal,
        ...(received > 0 ? { headers: { range: `bytes=${received}-` } } : {}),
      });
      if (response.status === 403 || response.status === 404 || response.status === 410) return null;
      if (!response.ok || !response.body) throw new Error(`answered with ${response.status}`);
      if (received > 0 && response.status !== 206) {
        chunks.length = 0;
        received = 0;
      }
      const reader = response.body.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(silence);
        silence = setTimeout(() => hangUp.abort(), SILENCE_MS);
        chunks.push(part.value);
        received += part.value.length;
        // More than announced is not this file; the check of the size says so.
        if (received > file.size) return new Blob(chunks, { type: file.type });
      }
      return new Blob(chunks, { type: file.type });
    } catch (error) {
      if (hangUp.signal.aborted || received === before) throw error;
    } finally {
      clearTimeout(silence);
    }
  }
}

async function isWhole(blob: Blob, { size, sha256 }: FrameFile): Promise<boolean> {
  if (blob.size !== size) return false;
  // Browsers offer checksums only over HTTPS and on localhost.
  if (size > LARGEST_CHECKED || !crypto.subtle) return true;
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
  return [...sum].map((byte) => byte.toString(16).padStart(2, '0')).join('') === sha256;
}
