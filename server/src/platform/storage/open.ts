import { type DiskStorageOptions, openDiskStorage } from './disk.ts';
import { openS3Storage, type S3Settings } from './s3.ts';
import type { Storage } from './storage.ts';

export type StorageSettings = DiskStorageOptions & { readonly s3?: S3Settings | undefined };

/** The bucket when one is set, else the folder. */
export async function openStorage({ s3, ...disk }: StorageSettings): Promise<Storage> {
  return s3 ? openS3Storage(s3, disk.now) : openDiskStorage(disk);
}
