/** Files of the show on this device, by their checksum. Only whole files ever get in. */
export interface FileStore {
  /** Bytes of the stored files, by checksum. */
  list(): Promise<Map<string, number>>;
  read(sha256: string): Promise<Blob | null>;
  /** @throws when the device is full */
  write(sha256: string, file: Blob): Promise<void>;
  remove(sha256: string): Promise<void>;
  /** Text that survives a restart, next to the files. */
  readNote(): Promise<string | null>;
  writeNote(text: string): Promise<void>;
  /** Removes everything. */
  wipe(): Promise<void>;
  /** Bytes that the files may take. */
  budget(): Promise<number>;
}

const CACHE = 'framelift.show';
const FOLDER = '/frame/kept/';
const NOTE = '/frame/kept-playlist';
/** Share of the free space that is used: the browser and other sites need some as well. */
const SHARE = 0.8;
const LARGEST_BUDGET = 16e9;
/** Where nothing can be stored, e.g. without HTTPS, files are kept in memory. */
const MEMORY_BUDGET = 200e6;

export const createFileStore = (): FileStore => ('caches' in window ? onDisk() : inMemory());

function onDisk(): FileStore {
  const open = () => caches.open(CACHE);
  const list = async () => {
    const cache = await open();
    const sizes = new Map<string, number>();
    for (const request of await cache.keys()) {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith(FOLDER)) continue;
      const kept = await cache.match(request);
      sizes.set(pathname.slice(FOLDER.length), Number(kept?.headers.get('content-length')));
    }
    return sizes;
  };
  return {
    list,
    async read(sha256) {
      const kept = await (await open()).match(FOLDER + sha256);
      return kept ? kept.blob() : null;
    },
    async write(sha256, file) {
      const headers = { 'content-type': file.type, 'content-length': String(file.size) };
      await (await open()).put(FOLDER + sha256, new Response(file, { headers }));
    },
    async remove(sha256) {
      await (await open()).delete(FOLDER + sha256);
    },
    async readNote() {
      const kept = await (await open()).match(NOTE);
      return kept ? kept.text() : null;
    },
    async writeNote(text) {
      await (await open()).put(NOTE, new Response(text));
    },
    async wipe() {
      await caches.delete(CACHE);
    },
    async budget() {
      const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
      if (quota === 0) return MEMORY_BUDGET;
      let own = 0;
      for (const size of (await list()).values()) own += size;
      return Math.min(LARGEST_BUDGET, (quota - usage + own) * SHARE);
    },
  };
}

function inMemory(): FileStore {
  const files = new Map<string, Blob>();
  let note: string | null = null;
  return {
    list: async () => new Map([...files].map(([sha256, { size }]) => [sha256, size])),
    read: async (sha256) => files.get(sha256) ?? null,
    async write(sha256, file) {
      files.set(sha256, file);
    },
    async remove(sha256) {
      files.delete(sha256);
    },
    readNote: async () => note,
    async writeNote(text) {
      note = text;
    },
    async wipe() {
      files.clear();
      note = null;
    },
    budget: async () => MEMORY_BUDGET,
  };
}
