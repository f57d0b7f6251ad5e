import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { MINUTE_MS } from '../time.ts';
import { contentDisposition } from './content-disposition.ts';
import { createLinkSigner } from './links.ts';
import { isObjectKey, type Storage } from './storage.ts';

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Set for stores other than Amazon S3. */
  readonly endpoint?: string | undefined;
  /** Origin at which browsers reach the store, if not `endpoint`. */
  readonly publicEndpoint?: string | undefined;
  /** Undefined leaves credentials to the SDK (environment, files, machine role). */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  /** Time without a byte after which a request is tried again; 10 s by default. */
  readonly silentMs?: number;
}

const DIRECT_LINK_MS = MINUTE_MS;

/**
 * Opens an S3 bucket. S3 checks signature, expiry, content-type and content-length of an upload, as both headers are
 * signed. It cannot make a link single-use, so the domain never keeps an object under a key that was given to a caller.
 * Downloads begin at this server, which redirects to a link of the bucket that lives for a minute: a longer one would
 * outlive the picture.
 * The bucket's CORS settings must allow PUT with content-type from the site's origin.
 */
export async function openS3Storage(settings: S3Settings, secret: Buffer, now: () => Date): Promise<Storage> {
  // Imported only if used, because loading it is slow.
  const {
    DeleteObjectCommand,
    GetObjectCommand,
    HeadBucketCommand,
    HeadObjectCommand,
    ListObjectsV2Command,
    PutObjectCommand,
    S3Client,
  } = await import('@aws-sdk/client-s3');
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  const { bucket: Bucket } = settings;
  const client = new S3Client(clientConfig(settings, settings.endpoint));
  const signer = new S3Client(clientConfig(settings, settings.publicEndpoint ?? settings.endpoint));
  const lifetime = (expires: Date) => ({
    signingDate: now(),
    expiresIn: Math.max(1, Math.ceil((expires.getTime() - now().getTime()) / 1000)),
  });
  const checked = (key: string): string => {
    if (!isObjectKey(key)) throw new Error(`Not a key of an object: ${JSON.stringify(key)}`);
    return key;
  };
  const read = async (key: string, Range?: string): Promise<Readable | null> => {
    const found = await client
      .send(new GetObjectCommand({ Bucket, Key: checked(key), ...(Range === undefined ? {} : { Range }) }))
      .catch(absent);
    return (found?.Body as Readable | undefined) ?? null;
  };
  const links = createLinkSigner(secret, now);
  const anyLink = await getSignedUrl(signer, new GetObjectCommand({ Bucket, Key: 'any/key' }), { expiresIn: 1 });

  return {
    origins: [new URL(anyLink).origin],
    async presignPut(key, { size, type, expires }) {
      const command = new PutObjectCommand({ Bucket, Key: checked(key), ContentLength: size, ContentType: type });
      const signableHeaders = new Set(['host', 'content-length', 'content-type']);
      const url = await getSignedUrl(signer, command, { ...lifetime(expires), signableHeaders });
      return { url, headers: { 'content-type': type } };
    },
    links,
    async presignGet(key, claims) {
      return links.get(checked(key), claims);
    },
    async directGet(key, { name, type, expires, inline }) {
      const command = new GetObjectCommand({
        Bucket,
        Key: checked(key),
        ResponseContentType: type,
        ResponseContentDisposition: contentDisposition(name, inline),
      });
      const soon = now().getTime() + DIRECT_LINK_MS;
      return getSignedUrl(signer, command, lifetime(new Date(Math.min(soon, expires.getTime()))));
    },
    async head(key) {
      const found = await client.send(new HeadObjectCommand({ Bucket, Key: checked(key) })).catch(absent);
      return found && { key, size: found.ContentLength ?? 0, modified: found.LastModified ?? now() };
    },
    openRead: (key, range) => read(key, range && `bytes=${range.start}-${range.end}`),
    async readTo(key, path) {
      const body = await read(key);
      if (!body) return false;
      try {
        await pipeline(body, createWriteStream(path, { flags: 'wx' }));
        return true;
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    async putFile(key, path, type) {
      const { size } = await stat(path);
      const Body = createReadStream(path);
      await client.send(
        new PutObjectCommand({ Bucket, Key: checked(key), Body, ContentLength: size, ContentType: type }),
      );
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: checked(key) }));
    },
    // Each file is put with one request, which leaves nothing when it breaks off.
    async removeUnfinished() {},
    async *list(Prefix) {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix, ...(ContinuationToken ? { ContinuationToken } : {}) }),
        );
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key !== undefined) yield { key: Key, size: Size ?? 0, modified: LastModified ?? now() };
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
    },
    async check(signal) {
      await client.send(new HeadBucketCommand({ Bucket }), { abortSignal: signal });
    },
    async close() {
      client.destroy();
      signer.destroy();
    },
  };
}

/** A store that accepts connections and never answers is given up after three tries: well within a minute. */
const CONNECT_MS = 3_000;
const SILENT_MS = 10_000;

function clientConfig(settings: S3Settings, endpoint: string | undefined): S3ClientConfig {
  const { region, accessKeyId, secretAccessKey } = settings;
  return {
    region,
    forcePathStyle: true,
    // By default the SDK signs the checksum of an empty body into upload links, so every upload would fail.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: settings.silentMs ?? SILENT_MS },
    ...(endpoint ? { endpoint } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  };
}

function absent(error: unknown): null {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404) return null;
  throw error;
}
