import { type ErrorCode, failureEnvelope, LIMITS } from '@framelift/contract';

export type PutErrorCode = Extract<ErrorCode, 'fileUploadFailed' | 'errorUploadingFile' | 'UploadTimeOut'>;

/**
 * `fileUploadFailed`: the store refused the file; `errorUploadingFile`: the connection broke; `UploadTimeOut`: no
 * progress for five minutes. `reason` is the store's own code and message, if it sent one.
 */
export class PutError extends Error {
  readonly code: PutErrorCode;
  readonly reason: { readonly code: string; readonly message: string } | null;
  constructor(code: PutErrorCode, reason: PutError['reason'] = null) {
    super(code);
    this.name = 'PutError';
    this.code = code;
    this.reason = reason;
  }
}

export interface PutOptions {
  readonly signal: AbortSignal;
  /** Number of bytes sent, as reported by the browser. */
  readonly onProgress: (sent: number, total: number) => void;
  /** Milliseconds without progress before the upload is aborted. */
  readonly stallMs?: number;
}

/**
 * Uploads one file to a presigned URL. It uses XMLHttpRequest, because fetch does not report upload progress.
 * @throws PutError, or the signal's reason when aborted
 */
export function putFile(
  address: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  file: Blob,
  { signal, onProgress, stallMs = LIMITS.uploadTimeoutMinutes * 60_000 }: PutOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    let stalled: ReturnType<typeof setTimeout>;

    const settle = (finish: () => void) => {
      clearTimeout(stalled);
      signal.removeEventListener('abort', abort);
      finish();
    };
    const abort = () => {
      settle(() => reject(signal.reason));
      request.abort();
    };
    const watch = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => {
        settle(() => reject(new PutError('UploadTimeOut')));
        request.abort();
      }, stallMs);
    };

    request.upload.onprogress = (event) => {
      watch();
      onProgress(event.loaded, file.size);
    };
    request.onload = () =>
      settle(() => {
        if (request.status >= 200 && request.status < 300) resolve();
        else reject(new PutError('fileUploadFailed', reasonOf(request.responseText)));
      });
    request.onerror = () => settle(() => reject(new PutError('errorUploadingFile')));
    signal.addEventListener('abort', abort);

    request.open('PUT', address.url);
    for (const [name, value] of Object.entries(address.headers)) request.setRequestHeader(name, value);
    watch();
    request.send(file);
  });
}

/** Extracts the error of our own store, which uses the API's envelope; the XML of an S3 store is not shown to users. */
export function reasonOf(body: string): PutError['reason'] {
  try {
    const answer = failureEnvelope.safeParse(JSON.parse(body));
    return answer.success ? { code: answer.data.code, message: answer.data.message } : null;
  } catch {
    return null;
  }
}
