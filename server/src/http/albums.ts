import { createAlbum, deleteAlbum, editAlbum, getAlbum, listAlbums, restoreAlbum } from '../domain/album/albums.ts';
import type { Handlers } from './endpoint.ts';

export const albumHandlers = {
  albums: ({ context, actor, input }) => listAlbums(context, actor, input),
  album: ({ context, actor, params }) => getAlbum(context, actor, params),
  albumCreate: ({ context, actor, input }) => createAlbum(context, actor, input),
  editToAlbum: ({ context, actor, input }) => editAlbum(context, actor, input),
  deleteAlbum: ({ context, actor, input }) => deleteAlbum(context, actor, input),
  restoreAlbum: ({ context, actor, input }) => restoreAlbum(context, actor, input),
} satisfies Partial<Handlers>;
