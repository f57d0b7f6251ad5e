import { ApiError } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Queries } from '../../platform/db/open.ts';
import { type AlbumView, findAlbum } from './album.sql.ts';

/**
 * The caller's own album. That of another member, an unknown and a deleted one are the same to them.
 * @throws ApiError `albumNotFound`
 */
export async function getOwnAlbum(db: Queries, actor: Actor, id: string): Promise<AlbumView> {
  const view = await findAlbum(db, signedIn(actor).userId, id);
  if (!view) throw new ApiError('albumNotFound');
  return view;
}
