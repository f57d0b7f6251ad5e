import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError, type ErrorCode } from '@framelift/contract';

/** Path of the signed links; relative, so that they work under every host name of the server. */
export const FILES_PATH = '/files/';

export interface UploadClaims {
  /** Exact size in bytes. */
  readonly size: number;
  /** Exact Content-Type that the sender must use. */
  readonly type: string;
  readonly expires: Date;
}

export interface DownloadClaims {
  /** Id of the media whose file it is. Another one may have the same object. */
  readonly mediaId: string;
  /** File name shown to users; any UTF-8. */
  readonly name: string;
  readonly type: string;
  readonly expires: Date;
  /** Displayed in the browser instead of saved. */
  readonly inline?: boolean;
  /** Id of the frame that plays it. The link ends with the item of the frame. */
  readonly frameId?: string;
}

export interface LinkSigner {
  put(key: string, claims: UploadClaims): string;
  get(key: string, claims: DownloadClaims): string;
  /** @throws ApiError uploadLinkInvalid, uploadLinkExpired */
  readPut(key: string, query: URLSearchParams): UploadClaims;
  /** @throws ApiError linkInvalid, linkExpired */
  readGet(key: string, query: URLSearchParams): DownloadClaims;
}

/** Signs links of this server: claims in the query, with an HMAC-SHA256 over method, key and claims. */
export function createLinkSigner(secret: Buffer, now: () => Date): LinkSigner {
  const sign = (method: string, key: string, claims: URLSearchParams): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([method, key, [...claims]]))
      .digest();

  const seal = (method: string, key: string, claims: Record<string, string>): string => {
    const query = new URLSearchParams(claims);
    const signature = sign(method, key, query).toString('base64url');
    query.append('signature', signature);
    return `${FILES_PATH}${key}?${query}`;
  };

  /** Returns the signed claims. Checks the signature first, so that a forged expiry is reported as invalid. */
  const open = (method: string, key: string, query: URLSearchParams, invalid: ErrorCode, expired: ErrorCode) => {
    const claims = new URLSearchParams(query);
    const given = Buffer.from(claims.get('signature') ?? '', 'base64url');
    claims.delete('signature');
    const right = sign(method, key, claims);
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw new ApiError(invalid);
    const expires = new Date(Number(claims.get('expires')) * 1000);
    if (expires <= now()) throw new ApiError(expired);
    return { type: claims.get('type') ?? '', expires, claims };
  };

  const seconds = (time: Date) => String(Math.ceil(time.getTime() / 1000));

  return {
    put: (key, { size, type, expires }) => seal('PUT', key, { size: String(size), type, expires: seconds(expires) }),
    get: (key, { mediaId, name, type, expires, inline, frameId }) =>
      seal('GET', key, {
        mediaId,
        name,
        type,
        expires: seconds(expires),
        ...(inline ? { inline: '1' } : {}),
        ...(frameId === undefined ? {} : { frame: frameId }),
      }),
    readPut(key, query) {
      const { claims, type, expires } = open('PUT', key, query, 'uploadLinkInvalid', 'uploadLinkExpired');
      return { size: Number(claims.get('size')), type, expires };
    },
    readGet(key, query) {
      const { claims, type, expires } = open('GET', key, query, 'linkInvalid', 'linkExpired');
      const [mediaId, name] = [claims.get('mediaId') ?? '', claims.get('name') ?? ''];
      const frameId = claims.get('frame');
      return { mediaId, name, type, expires, inline: claims.has('inline'), ...(frameId === null ? {} : { frameId }) };
    },
  };
}
