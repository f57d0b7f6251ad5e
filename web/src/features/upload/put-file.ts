import {
  ERRORS,
  type ErrorCode,
  type ForeignErrorCode,
  failureEnvelope,
  foreignAnswer,
  isErrorCode,
} from '@framelift/contract';

export type PutErrorCode = Extract<
  ErrorCode,
  'fileUploadFailed' | 'errorUploadingFile' | 'UploadTimeOut' | 'readerError' | ForeignErrorCode
>;

/**
 * `fileUploadFailed`: the store refused the file; `errorUploadingFile`: the connection broke; `UploadTimeOut`: no
 * progress; `readerError`: the file cannot be read any more; the others: something in front of the store answered.
 */
export class PutError extends Error {
  readonly code: PutErrorCode;
  /** The store's own code and message, if it sent one. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  /** HTTP status of the response; 0 if there was none. */
  readonly status: number;
  /** Seconds to wait, if the response says so. */
  readonly retryAfter: number | null;
  constructor(
    code: PutErrorCode,
    { reason = null, status = 0, retryAfter = null }: Partial<Pick<PutError, 'reason' | 'status' | 'retryAfter'>> = {},
  ) {
    super(code);
    this.name = 'PutError';
    this.code = code;
    this.reason = reason;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** True if the cause may go by itself, so that the same bytes are worth another try. */
  get passes(): boolean {
    if (this.reason) {
      const { code } = this.reason;
      const { handling } = ERRORS[isErrorCode(code) ? code : 'internal'];
      const isPassing = this.status === 408 || this.status === 429 || this.status >= 500 || code === 'uploadBroken';
      return isPassing && (handling === 'retry' || handling === 'wait');
    }
    return !['fileUploadFailed', 'tooLargeForProxy', 'readerError'].includes(this.code);
  }

  /** True if a new link is needed: the status of both stores for links that are invalid or have expired. */
  get needsLink(): boolean {
    return this.status === 403 || this.status === 410;
  }
}

export interface PutOptions {
  readonly signal: AbortSignal;
  /** Number of bytes sent, as reported by the browser. */
  readonly onProgress: (sent: number, total: number) => void;
  /** Milliseconds without progress before the upload is aborted. */
  readonly stallMs: number;
}

/**
 * Uploads one file to a presigned URL. It uses XMLHttpRequest, because fetch does not report upload progress.
 * @throws PutError, or the signal's reason when aborted
 */
export function putFile(
  address: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  file: Blob,
  { signal, onProgress, stallMs }: PutOptions,
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
        const error = errorOf(request);
        if (error) reject(error);
        else resolve();
      });
    request.onerror = () => settle(() => reject(new PutError('errorUploadingFile')));
    signal.addEventListener('abort', abort);

    request.open('PUT', address.url);
    for (const [name, value] of Object.entries(address.headers)) request.setRequestHeader(name, value);
    watch();
    request.send(file);
  });
}

/** Returns the error of a response, or null if the store took the file. */
function errorOf(request: XMLHttpRequest): PutError | null {
  const { status } = request;
  const reason = reasonOf(request.responseText);
  const retryAfter = Number(request.getResponseHeader('retry-after')) || null;
  if (reason) return new PutError('fileUploadFailed', { reason, status, retryAfter });
  // Neither store answers with a page, but the login page of a network does, also with success.
  const isPage = request.getResponseHeader('content-type')?.startsWith('text/html') ?? false;
  if (status >= 200 && status < 300) return isPage ? new PutError('unexpectedAnswer') : null;
  if (status === 408) return new PutError('UploadTimeOut', { status });
  if (status === 413 || status === 429 || status >= 500)
    return new PutError(foreignAnswer(status), { status, retryAfter });
  return new PutError('fileUploadFailed', { status });
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
