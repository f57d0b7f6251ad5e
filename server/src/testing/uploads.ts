import { type api, CallError, MEDIA_STATUS, MEDIA_TYPE, type MediaDetail, type SentInputOf } from '@framelift/contract';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import { expect, vi } from 'vitest';
import { type AssetRole, findAssetKey } from '../domain/media/asset.sql.ts';
import { objects } from '../platform/db/schema.ts';
import type { TestApp } from './app.ts';

type Sent = SentInputOf<typeof api.requestUploadMedia>;
type TypedClient = ReturnType<TestApp['client']>;

/** Returns a small picture that converts quickly, different for every `seed`. */
export function smallJpeg(seed = 0, width = 480, height = 640): Promise<Buffer> {
  return encoder(drawScene(width, height))
    .withExif({ IFD0: { ImageDescription: String(seed) } })
    .jpeg()
    .toBuffer();
}

/** Returns a small picture in a file of more than `bytes`, padded with segments that decoders skip. */
export async function paddedJpeg(bytes: number): Promise<Buffer> {
  const jpeg = await smallJpeg();
  const segment = Buffer.alloc(65_537);
  segment.writeUInt16BE(0xffef, 0);
  segment.writeUInt16BE(65_535, 2);
  const padding = Array.from({ length: Math.ceil(bytes / segment.length) }, () => segment);
  return Buffer.concat([jpeg.subarray(0, 2), ...padding, jpeg.subarray(2)]);
}

/** Returns the bytes of each part of a file. */
export function piecesOf(bytes: Buffer, parts: readonly { readonly size: number }[]): Buffer[] {
  let start = 0;
  return parts.map(({ size }) => {
    start += size;
    return bytes.subarray(start - size, start);
  });
}

/** Returns the ids of the Looking Glass Portrait and of its strengths for pictures in a new database. */
export const portrait = (client: TypedClient) => frame(client, 'Looking Glass Portrait');

/** Returns a device type of a new database by name, and its strengths for one media type. */
export async function frame(client: TypedClient, called: string, mediaType: '0' | '1' = '1') {
  const devices = await client.call('getDeviceType');
  const device = devices.find(({ name }) => name === called);
  if (!device) throw new Error(`No ${called} among the device types`);
  const { data } = await client.call('effect_params', {
    input: { device_type_id: String(device.id), media_type: mediaType },
  });
  const strength = (percent: number) => {
    const found = data.find(({ effect }) => effect === `${percent}%`);
    if (!found) throw new Error(`No strength of ${percent} %`);
    return found.id;
  };
  return { device, strength, devices };
}

/** Returns the key of a stored file of a media, or ''. */
export async function assetKey({ context }: TestApp, id: string, role: AssetRole, variant = ''): Promise<string> {
  return (await findAssetKey(context.db, id, role, variant)) ?? '';
}

/** Returns a valid upload request for a file of these bytes. */
export async function requestFor(client: TypedClient, bytes: Uint8Array, given: Partial<Sent> = {}): Promise<Sent> {
  const { device, strength } = await portrait(client);
  return {
    originalDetails: { name: 'shop.jpg', size: bytes.length, type: 'image/jpeg' },
    deviceType: device.id,
    media_type: MEDIA_TYPE.picture,
    effect_param_id: strength(100),
    ...given,
  };
}

/** Uploads a file to its link with exactly the returned headers. */
export function put(
  app: Pick<TestApp, 'url'>,
  link: { original: string; headers: Record<string, string> },
  bytes: Uint8Array,
) {
  return fetch(new URL(link.original, app.url), { method: 'PUT', headers: link.headers, body: bytes });
}

/** Runs the whole upload: request, PUT and finish. Waits for a flat picture, which is converted in a moment. */
export async function upload(
  app: Pick<TestApp, 'url'>,
  client: TypedClient,
  bytes: Uint8Array,
  given: Partial<Sent> = {},
): Promise<MediaDetail> {
  const link = await client.call('requestUploadMedia', { input: await requestFor(client, bytes, given) });
  const answer = await put(app, link, bytes);
  if (!answer.ok) throw new Error(`The file was refused: ${await answer.text()}`);
  const media = await client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
  return media.effect === 0 ? ended(client, media.id) : media;
}

/** Waits until a conversion has ended. */
export function ended(client: TypedClient, id: string, timeout = 60_000): Promise<MediaDetail> {
  return vi.waitFor(
    async () => {
      const media = await client.call('media', { params: { id } });
      if (media.status === MEDIA_STATUS.processing) throw new Error(`${media.step} ${media.progress} %`);
      return media;
    },
    { timeout, interval: 100 },
  );
}

/** Returns the error that a call is expected to fail with. */
export async function refusal(call: Promise<unknown>): Promise<CallError> {
  const answer = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in answer && answer.error instanceof CallError) return answer.error;
  throw new Error(`Not refused: ${JSON.stringify(answer)}`);
}

/** Returns the code of the error that a call is expected to fail with. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  return (await refusal(call)).code;
}

/** Returns the keys in the storage, sorted. */
export async function storedKeys(app: TestApp, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of app.context.storage.list(prefix)) keys.push(key);
  return keys.sort();
}

/**
 * Waits until every object has a row and every row its object: unused ones are deleted after the transaction.
 * @param isKept which stored objects have a row
 */
export async function oneRowForEveryObject(app: TestApp, isKept = (_key: string) => true): Promise<void> {
  const strays = async () => {
    const stored = (await storedKeys(app, '')).filter(isKept);
    const named = (await app.context.db.select({ key: objects.key }).from(objects)).map(({ key }) => key);
    return [...stored.filter((key) => !named.includes(key)), ...named.filter((key) => !stored.includes(key))];
  };
  await expect.poll(strays, { timeout: 10_000 }).toEqual([]);
}
