import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, LIMITS } from '@framelift/contract';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openS3Storage } from '../../../platform/storage/s3.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import {
  ended,
  paddedJpeg,
  piecesOf,
  put,
  refusal,
  requestFor,
  smallJpeg,
  storedKeys,
  upload,
} from '../../../testing/uploads.ts';

let app: TestApp;
let client: Client;
let server: S3rver;
let folder: string;
let jpeg: Buffer;

beforeAll(async () => {
  vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true');
  folder = await mkdtemp(join(tmpdir(), 'framelift-s3-'));
  const configureBuckets = [{ name: 'pictures' }];
  server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets });
  const { port } = await server.run();
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { bucket: 'pictures', region: 'us-east-1', endpoint, ...credentials };
  app = await startTestApp(await openTestDatabase(), {
    storage: await openS3Storage(settings, Buffer.alloc(32, 7), () => app.clock.now()),
  });
  client = app.client({ token: (await app.member()).token });
  jpeg = await smallJpeg();
});
afterAll(async () => {
  await app.close();
  await server.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('a picture goes to the bucket and comes from it, never through us, as long as it is not deleted [S15]', async () => {
  const [origin] = app.context.storage.origins;
  const link = await client.call('requestUploadMedia', {
    input: await requestFor(client, jpeg, { effect_param_id: 0 }),
  });
  expect(new URL(link.original).origin).toBe(origin);
  expect((await put(app, link, jpeg)).ok).toBe(true);
  const picture = await client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
  expect((await ended(client, picture.id)).status).toBe(1);
  const [download] = await client.call('getMediaLink', { input: { id: picture.id, format: 'original' } });
  const get = () => fetch(new URL(download?.url ?? '', app.url));
  const answer = await get();
  expect(new URL(answer.url).origin).toBe(origin);
  expect(Buffer.from(await answer.arrayBuffer()).equals(jpeg)).toBe(true);

  // A bucket cannot make a link single-use, but an object overwritten through it belongs to no media.
  expect((await put(app, link, Buffer.alloc(jpeg.length))).ok).toBe(true);
  const again = await get();
  expect(Buffer.from(await again.arrayBuffer()).equals(jpeg)).toBe(true);

  await client.call('deleteMedia', { input: { id: picture.id } });
  const refused = await get();
  expect([refused.status, refused.redirected]).toEqual([404, false]);
  await client.call('restoreMedia', { input: { id: picture.id } });
  expect((await get()).status).toBe(200);
});

test('a large picture goes to the bucket in parts, and a part of another size is refused [W19]', async () => {
  const before = await storedKeys(app, 'uploads/');
  const large = await paddedJpeg(1.5 * LIMITS.uploadPartBytes);
  const ask = async (given: object = {}) =>
    client.call('requestUploadMedia', { input: await requestFor(client, large, { effect_param_id: 0, ...given }) });
  const link = await ask();
  const pieces = piecesOf(large, link.parts);
  const putPart = ({ parts }: typeof link, index: number, bytes = pieces[index] ?? Buffer.alloc(0)) => {
    const { url: original = '', headers = {} } = parts[index] ?? {};
    return put(app, { original, headers }, bytes);
  };
  expect(link.parts.map(({ url }) => new URL(url).origin)).toEqual([
    ...app.context.storage.origins,
    ...app.context.storage.origins,
  ]);
  expect((await putPart(link, 1)).ok).toBe(true);
  const resumed = await ask({ id: link.media_id, resume: true });
  expect(resumed.parts.map(({ arrived }) => arrived)).toEqual([false, true]);
  expect((await putPart(resumed, 0)).ok).toBe(true);
  const finish = (id: string) => client.call('setMediaS3UploadFinish', { input: { id } });
  expect(await finish(link.media_id)).toMatchObject({ uploaded: true, source: { width: 480, height: 640 } });
  expect((await ended(client, link.media_id)).status).toBe(1);
  expect(await storedKeys(app, 'uploads/')).toEqual(before);

  const other = await ask();
  await putPart(other, 0);
  await putPart(other, 1, Buffer.alloc(7));
  expect((await refusal(finish(other.media_id))).code).toBe('uploadSizeMismatch');
  expect(await storedKeys(app, 'uploads/')).toEqual(before);
});

test('a file of another size than announced, which some stores let through, is refused and removed [A11]', async () => {
  const before = await storedKeys(app, '');
  const link = await client.call('requestUploadMedia', { input: await requestFor(client, jpeg) });
  expect((await put(app, link, Buffer.concat([jpeg, Buffer.alloc(1)]))).ok).toBe(true);
  const error = await refusal(client.call('setMediaS3UploadFinish', { input: { id: link.media_id } }));
  expect([error.code, error.status]).toEqual(['uploadSizeMismatch', 413]);
  expect(await storedKeys(app, '')).toEqual(before);
  expect((await refusal(client.call('media', { params: { id: link.media_id } }))).code).toBe('mediaNotFound');
});

test('a picture that cannot be opened is removed from the bucket', async () => {
  const before = await storedKeys(app, '');
  const error = await refusal(upload(app, client, Buffer.from('no picture')));
  expect(error.code).toBe('notAPicture');
  expect(await storedKeys(app, '')).toEqual(before);
});
