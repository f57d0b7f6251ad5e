import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ApiError, LIMITS } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { deleteObjects } from '../results.ts';

/**
 * An upload is one object under its upload key, or one object per part, which are joined when it is finished. Parts are
 * ordinary objects and not those of an S3 multipart upload, so that both stores treat them alike, they can be smaller
 * than 5 MiB, and nothing has to be aborted (docs/decisions/0017-uploads.md).
 */
export interface Part {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

export interface Upload {
  readonly uploadKey: string;
  /** Bytes. */
  readonly declaredSize: number;
}

/** Returns the parts of an upload in order. A file of one part is the object of the upload key itself. */
export function partsOf({ uploadKey, declaredSize }: Upload): Part[] {
  const most = LIMITS.uploadPartBytes;
  if (declaredSize <= most) return [{ key: uploadKey, size: declaredSize }];
  return Array.from({ length: Math.ceil(declaredSize / most) }, (_, index) => ({
    key: `${uploadKey}.${index + 1}`,
    size: Math.min(most, declaredSize - index * most),
  }));
}

/** Returns the sizes in bytes of those objects of an upload that have arrived, by key. */
export async function listArrived(storage: Storage, uploadKey: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { key, size } of storage.list(uploadKey)) sizes.set(key, size);
  return sizes;
}

/**
 * Copies an upload to a new local file. Returns false if the file, or a part of it, has not arrived.
 * @throws ApiError uploadSizeMismatch, because some stores do not enforce the announced size
 */
export async function readUpload(storage: Storage, upload: Upload, path: string): Promise<boolean> {
  const { uploadKey, declaredSize } = upload;
  const arrived = await listArrived(storage, uploadKey);
  const parts = arrived.has(uploadKey) ? [{ key: uploadKey, size: declaredSize }] : partsOf(upload);
  if (parts.some(({ key }) => !arrived.has(key))) return false;
  if (parts.some(({ key, size }) => arrived.get(key) !== size)) throw new ApiError('uploadSizeMismatch');
  if (parts.length === 1) return storage.readTo(uploadKey, path);
  for (const { key } of parts) {
    const part = await storage.openRead(key);
    if (part === null) return false;
    await pipeline(part, createWriteStream(path, { flags: 'a' }));
  }
  return true;
}

/** Deletes all objects of an upload. Failures are logged and left to the reconcile job. */
export async function deleteUpload(context: Context, uploadKey: string): Promise<void> {
  try {
    await deleteObjects(context, [...(await listArrived(context.storage, uploadKey)).keys()]);
  } catch (error) {
    context.log.warn({ err: error, key: uploadKey }, 'An upload could not be deleted');
  }
}
