import { type DiskStorageOptions, openDiskStorage } from './disk.ts';
import type { S3Settings } from './s3.ts';
import type { Storage } from './storage.ts';

export type StorageSettings = DiskStorageOptions & { readonly s3?: S3Settings | undefined };

/** The bucket when one is set, else the folder. The SDK is loaded only when it is needed: it takes its time. */
export async function openStorage({ s3, ...disk }: StorageSettings): Promise<Storage> {
  if (!s3) return openDiskStorage(disk);
  const { openS3Storage } = await import('./s3.ts');
  return openS3Storage(s3, disk.now);
}
