import { getSharedMedia, openSharedFile, openSharedPart } from '../domain/share/shared.ts';
import { changeShare, listShares, restoreShare, revokeShare, shareMedia } from '../domain/share/shares.ts';
import { contentDisposition } from '../platform/storage/content-disposition.ts';
import type { Handlers } from './endpoint.ts';
import { sendFile } from './send-file.ts';

/** Kept by browsers, but asked for again at every use: a link can be revoked or expire at any moment. */
const REVALIDATED = 'private, no-cache';

export const shareHandlers = {
  shares: ({ context, actor, input }) => listShares(context, actor, input),
  shareMedia: ({ context, actor, input }) => shareMedia(context, actor, input),
  changeShare: ({ context, actor, input }) => changeShare(context, actor, input),
  revokeShare: ({ context, actor, input }) => revokeShare(context, actor, input),
  restoreShare: ({ context, actor, input }) => restoreShare(context, actor, input),
  sharedMedia: ({ context, actor, params }) => getSharedMedia(context, actor, params),
  sharedPart: async ({ context, params, request, reply, signal }) => {
    const file = await openSharedPart(context, params, signal);
    // Previews of links show it on other websites; who asks for it has the link.
    reply.headers({ 'cache-control': REVALIDATED, 'cross-origin-resource-policy': 'cross-origin' });
    return sendFile(request, reply, { ...file, version: file.sha256 });
  },
  sharedFile: async ({ context, params, request, reply, signal }) => {
    const file = await openSharedFile(context, params, signal);
    reply.headers({ 'cache-control': REVALIDATED, 'content-disposition': contentDisposition(file.name) });
    return sendFile(request, reply, { ...file, version: file.sha256 });
  },
} satisfies Partial<Handlers>;
