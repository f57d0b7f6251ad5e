import {
  announceLinkUpload,
  createUploadLink,
  finishLinkUpload,
  listUploadLinks,
  openUploadLink,
  restoreUploadLink,
  revokeUploadLink,
} from '../domain/upload-link/upload-links.ts';
import type { Handlers } from './endpoint.ts';

export const uploadLinkHandlers = {
  uploadLinks: ({ context, actor, input }) => listUploadLinks(context, actor, input),
  createUploadLink: ({ context, actor, input }) => createUploadLink(context, actor, input),
  revokeUploadLink: ({ context, actor, input }) => revokeUploadLink(context, actor, input),
  restoreUploadLink: ({ context, actor, input }) => restoreUploadLink(context, actor, input),
  openUploadLink: ({ context, actor, input }) => openUploadLink(context, actor, input),
  announceLinkUpload: ({ context, actor, input }) => announceLinkUpload(context, actor, input),
  finishLinkUpload: ({ context, actor, input }) => finishLinkUpload(context, actor, input),
} satisfies Partial<Handlers>;
