/** Bytes of a file with the name the server gave it. */
export interface Download {
  readonly blob: Blob;
  readonly name: string | null;
}

/**
 * Fetches a file as a blob.
 * @param onProgress fraction 0 … 1, told only where the server says how long the file is
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
    name: fileNameOf(response.headers.get('content-disposition') ?? dispositionInAddress(url)),
  };
}

/** Streams are async-iterable in the newest browsers only. */
async function* chunks(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** A store on another origin may hide the header; a presigned S3 address carries it as a parameter. */
function dispositionInAddress(url: string): string | null {
  return new URL(url, location.href).searchParams.get('response-content-disposition');
}

/** File name of a Content-Disposition header (RFC 6266): `filename*` in UTF-8 before the plain `filename`. */
export function fileNameOf(disposition: string | null): string | null {
  if (!disposition) return null;
  const extended = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (extended) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // A broken escape: the plain name is better than none.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return plain ? (plain[1]?.replace(/\\(.)/g, '$1') ?? plain[2] ?? null) : null;
}

/** Hands a blob to the browser's own saving. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Safari reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
