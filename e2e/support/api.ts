import { randomUUID } from 'node:crypto';
import { type Client, createClient, MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import { expect } from '@playwright/test';

/** A guest who calls the API directly; every answer is held against the contract. */
export async function guestClient(url: string, guestId: string = randomUUID()): Promise<Client> {
  let token: string | undefined;
  const client = createClient({
    base: `${url}/api`,
    token: () => token,
    language: () => 'en',
    parse: (schema, value) => schema.parse(value),
  });
  token = (await client.call('guestLogin', { input: { guestId } })).token;
  return client;
}

/** Uploads a JPEG to the server at `url` for the first device type at full strength. @returns the media's id; its conversion has begun */
export async function uploadJpeg(url: string, client: Client, bytes: Buffer, name: string): Promise<string> {
  const [device] = await client.call('getDeviceType');
  if (!device) throw new Error('There is no device type');
  const { data: effects } = await client.call('effect_params', {
    input: { device_type_id: String(device.id), media_type: String(MEDIA_TYPE.picture) as '1' },
  });
  const full = effects.find(({ effect }) => effect === '100%');
  if (!full) throw new Error('There is no 100 %');
  const order = await client.call('requestUploadMedia', {
    input: {
      originalDetails: { name, size: bytes.length, type: 'image/jpeg' },
      deviceType: device.id,
      media_type: MEDIA_TYPE.picture,
      effect_param_id: full.id,
    },
  });
  // Links of the disk store have no origin, links of an S3 store have theirs.
  const link = new URL(order.original, url);
  const put = await fetch(link, { method: 'PUT', headers: order.headers, body: new Uint8Array(bytes) });
  expect(put.ok, `the upload link answers ${put.status}`).toBe(true);
  await client.call('setMediaS3UploadFinish', { input: { id: order.media_id } });
  return order.media_id;
}

/** Waits until `done` holds for the media. @throws after `ms`, with what it was last */
export async function waitForMedia(
  client: Client,
  id: string,
  done: (media: MediaDetail) => boolean,
  ms = 90_000,
): Promise<MediaDetail> {
  const deadline = Date.now() + ms;
  for (;;) {
    const media = await client.call('media', { params: { id } });
    if (done(media)) return media;
    if (Date.now() > deadline) throw new Error(`The media stayed ${JSON.stringify(media)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
