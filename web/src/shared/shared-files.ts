/**
 * Hand-over of files that another app shares with the installed app: its service worker stores each as a response in
 * this cache, under `/shared/<n>`, and opens `/upload?shared=1`.
 */
const CACHE = 'framelift.shared';
/** Header of a stored response with the percent-encoded name of its file. */
const NAME_HEADER = 'x-file-name';

/** Returns the files that were shared with the app, in their order, and removes them. */
export async function takeSharedFiles(): Promise<File[]> {
  // Missing on plain HTTP, where no service worker runs either.
  if (!('caches' in globalThis)) return [];
  try {
    const cache = await caches.open(CACHE);
    const kept = (await cache.keys()).toSorted((a, b) => numberOf(a.url) - numberOf(b.url));
    const files: File[] = [];
    for (const request of kept) {
      const response = await cache.match(request);
      if (response) files.push(await fileOf(response, `shared-${numberOf(request.url)}`));
      await cache.delete(request);
    }
    return files;
  } catch {
    return [];
  }
}

const numberOf = (url: string) => Number(/\/shared\/(\d+)$/.exec(url)?.[1] ?? 0);

async function fileOf(response: Response, otherwise: string): Promise<File> {
  const blob = await response.blob();
  const name = response.headers.get(NAME_HEADER);
  return new File([blob], name ? decodeURIComponent(name) : otherwise, {
    type: response.headers.get('content-type') ?? blob.type,
  });
}
