import { api } from '@framelift/contract';
import { cancelMedia, deleteMedia, restoreMedia, retryMedia } from '../domain/media/control.ts';
import { finishUpload } from '../domain/media/finish-upload.ts';
import { getMediaLink } from '../domain/media/link.ts';
import { getMedia, listVideos } from '../domain/media/media.ts';
import { openPart } from '../domain/media/part.ts';
import { requestUpload } from '../domain/media/request-upload.ts';
import type { Mount } from './endpoint.ts';

export function mountMedia(mount: Mount): void {
  mount(api.requestUploadMedia, ({ context, actor, input }) => requestUpload(context, actor, input));
  mount(api.setMediaS3UploadFinish, ({ context, actor, input }) => finishUpload(context, actor, input));
  mount(api.videos, ({ context, actor, input }) => listVideos(context, actor, input));
  mount(api.media, ({ context, actor, params }) => getMedia(context, actor, params));
  mount(api.getMediaLink, ({ context, actor, input }) => getMediaLink(context, actor, input));
  mount(api.cancelMedia, ({ context, actor, input }) => cancelMedia(context, actor, input));
  mount(api.retryMedia, ({ context, actor, input }) => retryMedia(context, actor, input));
  mount(api.deleteMedia, ({ context, actor, input }) => deleteMedia(context, actor, input));
  mount(api.restoreMedia, ({ context, actor, input }) => restoreMedia(context, actor, input));

  mount(api.mediaPart, async ({ context, actor, params, request, reply }) => {
    const { type, size, sha256, read } = await openPart(context, actor, params);
    const etag = `"${sha256}"`;
    // Kept by the browser, but asked for each time: a media can be deleted, or its session end.
    reply.headers({ 'cache-control': 'private, no-cache', etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.headers({ 'content-type': type, 'content-length': size }).send(await read());
  });
}
