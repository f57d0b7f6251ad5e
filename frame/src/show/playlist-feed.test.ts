import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FramePlaylist } from '@framelift/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApi } from '../api.ts';
import { itemOf, playlistOf } from '../testing.ts';
import { createFileStore, type FileStore } from './file-store.ts';
import { followPlaylist, type PlaylistFeed } from './playlist-feed.ts';

let served: FramePlaylist | { status: number; code: string };
let streams: Set<ServerResponse>;
let asked: { path: string; token: string | undefined; known: string | undefined }[];
let server: Server;
let store: FileStore;
let feed: PlaylistFeed;
let got: FramePlaylist[];
let unpaired: number;

beforeEach(async () => {
  served = playlistOf([itemOf('a')]);
  streams = new Set();
  asked = [];
  got = [];
  unpaired = 0;
  server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    const known = headers['if-none-match'];
    asked.push({ path, token: headers.authorization, known });
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if ('code' in served) return void json(served.status, { success: false, code: served.code });
    if (path === '/api/frame/playlist') {
      if (known === `"${served.version}"`) return void response.writeHead(304).end();
      return void json(200, { success: true, message: served });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    streams.add(response);
    response.on('close', () => streams.delete(response));
    tell(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(origin + path, init));
  vi.stubGlobal('window', globalThis);
  store = createFileStore();
});
afterEach(() => {
  feed.stop();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

function tell(stream: ServerResponse): void {
  const { version } = served as FramePlaylist;
  // Split as a network may split it.
  stream.write(':\n\nevent: play');
  stream.write(`list\ndata: {"version":${JSON.stringify(version)}}\n\n`);
}
function change(next: FramePlaylist): void {
  served = next;
  for (const stream of streams) tell(stream);
}
function start(): void {
  feed = followPlaylist({
    api: createApi('en'),
    token: 'frame_secret',
    store,
    changed: (playlist) => got.push(playlist),
    unpaired: () => unpaired++,
  });
}
const shown = () => got.map(({ items }) => items.map(({ id }) => id).join());
const playlists = () => asked.filter(({ path }) => path === '/api/frame/playlist');

it('fetches the playlist once and again only after an event of another version [A91]', async () => {
  start();
  await vi.waitFor(() => expect(shown()).toEqual(['a']));
  await vi.waitFor(() => expect(streams.size).toBe(1));
  change(playlistOf([itemOf('b')]));
  await vi.waitFor(() => expect(shown()).toEqual(['a', 'b']));
  change(playlistOf([]));
  await vi.waitFor(() => expect(shown()).toEqual(['a', 'b', '']));
  for (const { token } of asked) expect(token).toBe('Bearer frame_secret');
  expect(playlists()[0]?.known).toBeUndefined();
  expect(playlists()[1]?.known).toBe(`"${got[0]?.version}"`);
});

it('begins with what it kept when there is no network, and catches up when there is one [A89]', async () => {
  start();
  await vi.waitFor(async () => expect(await store.readNote()).not.toBeNull());
  feed.stop();
  const kept = served;
  served = { status: 503, code: 'maintenance' };
  got = [];
  asked = [];
  start();
  await vi.waitFor(() => expect(shown()).toEqual(['a']));
  await vi.waitFor(() => expect(playlists()).toHaveLength(1));
  served = playlistOf([itemOf('c')]);
  feed.refresh();
  await vi.waitFor(() => expect(shown()).toEqual(['a', 'c']));
  expect(kept).not.toBe(served);
  expect(unpaired).toBe(0);
});

it('asks for new links before the old ones end, and not for the same list otherwise', async () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  served = playlistOf([itemOf('a')], {}, { expires_at: soon });
  start();
  await vi.waitFor(() => expect(streams.size).toBe(1));
  await vi.waitFor(() => expect(shown()).toEqual(['a']));
  feed.refresh();
  await vi.waitFor(() => expect(shown()).toEqual(['a', 'a']));
  for (const { known } of playlists()) expect(known).toBeUndefined();
});

it('asks for nothing once it has stopped', async () => {
  start();
  await vi.waitFor(() => expect(streams.size).toBe(1));
  feed.stop();
  asked = [];
  feed.refresh();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked).toEqual([]);
});

it('says when the server no longer knows this frame', async () => {
  served = { status: 401, code: 'tokenExpired' };
  start();
  await vi.waitFor(() => expect(unpaired).toBeGreaterThan(0));
  expect(got).toEqual([]);
});

it('takes a broken note for none', async () => {
  for (const note of ['{', 'null', '{"items":3}', '[]']) {
    await store.writeNote(note);
    got = [];
    start();
    await vi.waitFor(() => expect(shown()).toEqual(['a']));
    feed.stop();
  }
});
