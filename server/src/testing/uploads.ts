import { type api, CallError, MEDIA_STATUS, MEDIA_TYPE, type MediaDetail, type SentInputOf } from '@framelift/contract';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import { vi } from 'vitest';
import { type AssetRole, findAssetKey } from '../domain/media/asset.sql.ts';
import type { TestApp } from './app.ts';

type Sent = SentInputOf<typeof api.requestUploadMedia>;
type TypedClient = ReturnType<TestApp['client']>;

/** A small picture that takes little time to convert, different for every `seed`. */
export function smallJpeg(seed = 0, width = 480, height = 640): Promise<Buffer> {
  return encoder(drawScene(width, height))
    .withExif({ IFD0: { ImageDescription: String(seed) } })
    .jpeg()
    .toBuffer();
}

/** Ids that a new database gives: the Looking Glass Portrait and its strengths for pictures. */
export const portrait = (client: TypedClient) => frame(client, 'Looking Glass Portrait');

/** A device type that a new database has, and its strengths for one media type. */
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

/** Key of one stored file of a media; '' where there is none. */
export async function assetKey({ context }: TestApp, id: string, role: AssetRole, variant = ''): Promise<string> {
  return (await findAssetKey(context.db, id, role, variant)) ?? '';
}

/** A request that is right in every field, for a file of these bytes. */
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

/** PUTs a file to its link, with exactly the headers that were given along. */
export function put(
  app: Pick<TestApp, 'url'>,
  link: { original: string; headers: Record<string, string> },
  bytes: Uint8Array,
) {
  return fetch(new URL(link.original, app.url), { method: 'PUT', headers: link.headers, body: bytes });
}

/** Request, PUT and finish: the whole upload. */
export async function upload(
  app: Pick<TestApp, 'url'>,
  client: TypedClient,
  bytes: Uint8Array,
  given: Partial<Sent> = {},
): Promise<MediaDetail> {
  const link = await client.call('requestUploadMedia', { input: await requestFor(client, bytes, given) });
  const answer = await put(app, link, bytes);
  if (!answer.ok) throw new Error(`The file was refused: ${await answer.text()}`);
  return client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
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

/** What a call was refused with. */
export async function refusal(call: Promise<unknown>): Promise<CallError> {
  const answer = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in answer && answer.error instanceof CallError) return answer.error;
  throw new Error(`Not refused: ${JSON.stringify(answer)}`);
}

/** Keys in the store, sorted. */
export async function storedKeys(app: TestApp, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of app.context.storage.list(prefix)) keys.push(key);
  return keys.sort();
}
