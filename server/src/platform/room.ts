import { statfs } from 'node:fs/promises';
import { ApiError } from '@framelift/contract';

/** Room on the disks that this process writes to. */
export interface Room {
  /** Kept free for the database and running work: an upload that would leave less is refused. */
  readonly reserveBytes: number;
  /** Returns the free bytes of the fullest disk; null if its file system does not tell. */
  freeBytes(): Promise<number | null>;
}

export function openRoom(folders: readonly string[], reserveBytes: number): Room {
  return {
    reserveBytes,
    async freeBytes() {
      const all = await Promise.all(folders.map(freeOf));
      const known = all.filter((free) => free !== null);
      return known.length > 0 ? Math.min(...known) : null;
    },
  };
}

/** @throws ApiError `serverFull` if an upload of this size would touch the reserve */
export async function refuseWithoutRoom(room: Room, bytes: number): Promise<void> {
  const free = await room.freeBytes();
  if (free !== null && free - bytes < room.reserveBytes) throw new ApiError('serverFull');
}

async function freeOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    // Some network file systems report no size at all.
    return blocks > 0 ? bavail * bsize : null;
  } catch {
    return null;
  }
}
