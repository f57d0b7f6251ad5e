import { listAlbumMedia, summarizeAlbumMedia } from '../domain/album/albums.ts';
import { openAsset } from '../domain/media/deliver/asset.ts';
import { getMediaLink } from '../domain/media/deliver/download.ts';
import { previewDepth } from '../domain/media/depth-preview.ts';
import { changeMedia, paintMediaDepth, setMediaDepth } from '../domain/media/edit/edit-media.ts';
import { moveHistory } from '../domain/media/edit/revisions.ts';
import { deleteManyMedia, improveManyMedia, restoreManyMedia } from '../domain/media/library/many.ts';
import { renameMedia } from '../domain/media/library/rename.ts';
import { openMediaZip, zipMedia } from '../domain/media/library/zip.ts';
import { cancelMedia, deleteMedia, restoreMedia, retryMedia } from '../domain/media/lifecycle/lifecycle.ts';
import { getMedia, listMedia, summarizeMedia } from '../domain/media/media.ts';
import { finishUpload } from '../domain/media/upload/finish-upload.ts';
import { requestUpload } from '../domain/media/upload/request-upload.ts';
import { getUserUsage } from '../domain/media/usage.ts';
import { contentDisposition } from '../platform/storage/content-disposition.ts';
import { drainRequest } from './drain-request.ts';
import type { Handlers } from './endpoint.ts';
import { sendFile } from './send-file.ts';

export const mediaHandlers = {
  requestUploadMedia: ({ context, actor, input }) => requestUpload(context, actor, input),
  setMediaS3UploadFinish: ({ context, actor, input }) => finishUpload(context, actor, input),
  getUserUsage: ({ context, actor }) => getUserUsage(context, actor),
  videos: ({ context, actor, input: { album, ...input } }) =>
    album ? listAlbumMedia(context, actor, { ...input, album }) : listMedia(context, actor, input),
  videosSummary: ({ context, actor, input: { album, ...input } }) =>
    album ? summarizeAlbumMedia(context, actor, { ...input, album }) : summarizeMedia(context, actor, input),
  media: ({ context, actor, params }) => getMedia(context, actor, params),
  getMediaLink: ({ context, actor, input, signal }) => getMediaLink(context, actor, input, signal),
  cancelMedia: ({ context, actor, input }) => cancelMedia(context, actor, input),
  retryMedia: ({ context, actor, input }) => retryMedia(context, actor, input),
  changeMedia: ({ context, actor, params, input }) => changeMedia(context, actor, params, input),
  paintMediaDepth: ({ context, actor, params, input }) => paintMediaDepth(context, actor, params, input),
  setMediaDepth: ({ context, actor, params, request, signal }) =>
    setMediaDepth(context, actor, params, request.raw, signal).catch((error: unknown) => {
      drainRequest(request.raw);
      throw error;
    }),
  previewDepth: ({ context, actor, request, signal }) =>
    previewDepth(context, actor, request.raw, signal).catch((error: unknown) => {
      drainRequest(request.raw);
      throw error;
    }),
  undoMediaChange: ({ context, actor, params }) => moveHistory(context, actor, params, -1),
  redoMediaChange: ({ context, actor, params }) => moveHistory(context, actor, params, 1),
  deleteMedia: ({ context, actor, input }) => deleteMedia(context, actor, input),
  restoreMedia: ({ context, actor, input }) => restoreMedia(context, actor, input),
  renameMedia: ({ context, actor, input }) => renameMedia(context, actor, input),
  deleteManyMedia: ({ context, actor, input }) => deleteManyMedia(context, actor, input),
  restoreManyMedia: ({ context, actor, input }) => restoreManyMedia(context, actor, input),
  improveManyMedia: ({ context, actor, input }) => improveManyMedia(context, actor, input),
  zipMedia: ({ context, actor, input }) => zipMedia(context, actor, input),
  mediaZip: async ({ context, actor, input, reply }) => {
    const { name, stream, size } = await openMediaZip(context, actor, input);
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-length': await size,
        'content-disposition': contentDisposition(name),
        // Made anew each time, so a part of it fits no other part.
        'accept-ranges': 'none',
      })
      .send(stream);
  },

  mediaPart: async ({ context, actor, params, request, reply, signal }) => {
    const asset = await openAsset(context, actor, params, signal);
    // Cached by the browser but always revalidated: a media can be deleted, or the session can end.
    reply.header('cache-control', 'private, no-cache');
    return sendFile(request, reply, { ...asset, version: asset.sha256 });
  },
} satisfies Partial<Handlers>;
