import { ApiError, extensionOf, type Media } from '@framelift/contract';
import { safeStem } from '@framelift/engine/formats';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { renameFiles } from '../asset.sql.ts';
import { getOwnMediaForUpdate } from '../edit/revisions.ts';
import { updateMedia } from '../media.sql.ts';
import { getOwnMedia, presentMedia } from '../media.ts';
import { cleanName, stemOf } from '../upload/file-rules.ts';

/**
 * Renames a media and the files that were made of it. The extension stays, so that the original still opens.
 * @throws ApiError `mediaNotFound`, also for an upload that has not arrived
 */
export async function renameMedia(
  context: Context,
  actor: Actor,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Media> {
  await context.db.transaction(async (tx) => {
    const media = await getOwnMediaForUpdate(tx, actor, id);
    if (media.uploadState !== 'stored') throw new ApiError('mediaNotFound');
    const after = withExtensionOf(media.name, name);
    if (after === media.name) return;
    await updateMedia(tx, id, { name: after });
    await renameFiles(tx, id, safeStem(stemOf(media.name)), safeStem(stemOf(after)));
  });
  context.changes.changed(id);
  return presentMedia(await getOwnMedia(context.db, actor, id));
}

function withExtensionOf(before: string, name: string): string {
  const dot = extensionOf(before) === '' ? '' : before.slice(before.lastIndexOf('.'));
  return cleanName(name.toLowerCase().endsWith(dot.toLowerCase()) ? name : name + dot);
}
