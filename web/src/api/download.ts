/** Content of a file with the name given by the server. */
export interface Download {
  readonly blob: Blob;
  readonly name: string | null;
}

/**
 * Fetches a file as a blob.
 * @param onProgress called with the fraction 0 … 1, only if the server sends the length of the file
 * @throws when the link is refused or the connection breaks
 */
export async function fetchFile(
  url: string,
  options: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
): Promise<Download> {
  const response = await fetch(url, options.signal ? { signal: options.signal } : {});
  if (!response.ok || !response.body) throw new Error(`The file was answered with ${response.status}`);
  const total = Number(response.headers.get('content-length'));
  const parts: BlobPart[] = [];
  let received = 0;
  for await (const part of chunks(response.body)) {
    parts.push(part);
    received += part.byteLength;
    if (total > 0) options.onProgress?.(Math.min(1, received / total));
  }
  return {
    blob: new Blob(parts, { type: response.headers.get('content-type') ?? '' }),
    name: fileNameOf(response.headers.get('content-disposition') ?? dispositionInAddress(response.url)),
  };
}

/** Reads a stream chunk by chunk: only the newest browsers have async-iterable streams. */
async function* chunks(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** A store on another origin may hide the header; the presigned S3 URL that a link leads to contains it as a parameter. */
function dispositionInAddress(url: string): string | null {
  return new URL(url, location.origin).searchParams.get('response-content-disposition');
}

/** Returns the file name of a Content-Disposition header (RFC 6266): `filename*` in UTF-8 precedes `filename`. */
export function fileNameOf(disposition: string | null): string | null {
  if (!disposition) return null;
  const extended = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (extended) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Invalid percent-encoding: falls back to the plain name.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return plain ? (plain[1]?.replace(/\\(.)/g, '$1') ?? plain[2] ?? null) : null;
}

/** Leaves a download to the browser, which shows its progress and can cancel it; nothing is held in memory. */
export function downloadUrl(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** Saves a blob as a browser download. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Safari reads the blob after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
