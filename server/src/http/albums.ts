import { api } from '@framelift/contract';
import { createAlbum, deleteAlbum, editAlbum, getAlbum, getAlbums, restoreAlbum } from '../domain/album/albums.ts';
import type { Mount } from './endpoint.ts';

export function mountAlbums(mount: Mount): void {
  mount(api.albums, ({ context, actor, input }) => getAlbums(context, actor, input));
  mount(api.album, ({ context, actor, params }) => getAlbum(context, actor, params));
  mount(api.albumCreate, ({ context, actor, input }) => createAlbum(context, actor, input));
  mount(api.editToAlbum, ({ context, actor, input }) => editAlbum(context, actor, input));
  mount(api.deleteAlbum, ({ context, actor, input }) => deleteAlbum(context, actor, input));
  mount(api.restoreAlbum, ({ context, actor, input }) => restoreAlbum(context, actor, input));
}
