import { randomUUID } from 'node:crypto';
import { type Client, createClient, MEDIA_TYPE, type MediaDetail } from '@framelift/contract';
import { expect, type Page } from '@playwright/test';
import type { RunningServer } from './server.ts';

/** Returns a client of a guest who calls the API directly; every response is checked against the contract. */
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

/** Returns a client of the administrator that was created on the first start, with the printed password. */
export async function adminClient(app: RunningServer): Promise<Client> {
  return memberClient(app.url, adminAccount(app));
}

export function adminAccount(app: RunningServer): { readonly email: string; readonly password: string } {
  const [, email = '', password = ''] = /Admin\s+(\S+)\s+password (\S+)/.exec(app.output()) ?? [];
  return { email, password };
}

/** Returns a client of a member who calls the API directly. */
export async function memberClient(
  url: string,
  account: { readonly email: string; readonly password: string },
): Promise<Client> {
  let token: string | undefined;
  const client = createClient({
    base: `${url}/api`,
    token: () => token,
    language: () => 'en',
    parse: (schema, value) => schema.parse(value),
  });
  token = (await client.call('login', { input: account })).token;
  return client;
}

/** Creates a serial code for a VIP. */
export async function serialCode(app: RunningServer): Promise<string> {
  const { codes } = await (await adminClient(app)).call('createPinCodes', { input: { count: 1 } });
  const [code] = codes;
  if (!code) throw new Error('No code was made');
  return code;
}

/** Calls the API with the session of the page. */
export async function callApi<T>(page: Page, path: string, input?: object): Promise<T> {
  return page.evaluate(
    async ([address, body]) => {
      const answer = await fetch(`/api/${address}`, {
        ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const { success, message, data } = await answer.json();
      if (!success) throw new Error(`${address} was answered with ${answer.status}: ${JSON.stringify(message)}`);
      return data ?? message;
    },
    [path, input] as const,
  );
}

/**
 * Uploads a JPEG to the server at `url` for the first device type at full strength.
 * @returns the media's id; its conversion has begun
 */
export async function uploadJpeg(url: string, client: Client, bytes: Buffer, name: string): Promise<string> {
  return upload(url, client, { name, mimeType: 'image/jpeg', buffer: bytes }, MEDIA_TYPE.picture);
}

/** Uploads a JPEG without depth, which is finished immediately. */
export async function uploadFlatJpeg(url: string, client: Client, bytes: Buffer, name: string): Promise<string> {
  return upload(url, client, { name, mimeType: 'image/jpeg', buffer: bytes }, MEDIA_TYPE.picture, undefined, '0%');
}

/** Uploads a video, as a VIP. */
export async function uploadVideo(
  url: string,
  client: Client,
  video: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
  device: string,
): Promise<string> {
  return upload(url, client, video, MEDIA_TYPE.video, device);
}

async function upload(
  url: string,
  client: Client,
  file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
  media_type: (typeof MEDIA_TYPE)[keyof typeof MEDIA_TYPE],
  deviceName?: string,
  strength = '100%',
): Promise<string> {
  const devices = await client.call('getDeviceType');
  const device = devices.find(({ name }) => name === deviceName) ?? devices[0];
  if (!device) throw new Error('There is no device type');
  const { data: effects } = await client.call('effect_params', {
    input: { device_type_id: String(device.id), media_type: String(media_type) as '0' | '1' },
  });
  const chosen = effects.find(({ effect }) => effect === strength);
  if (!chosen) throw new Error(`There is no ${strength}`);
  const order = await client.call('requestUploadMedia', {
    input: {
      originalDetails: { name: file.name, size: file.buffer.length, type: file.mimeType },
      deviceType: device.id,
      media_type,
      effect_param_id: chosen.id,
    },
  });
  // Links of the disk store are relative, links of an S3 store are absolute.
  const link = new URL(order.original, url);
  const put = await fetch(link, { method: 'PUT', headers: order.headers, body: new Uint8Array(file.buffer) });
  expect(put.ok, `the upload link answers ${put.status}`).toBe(true);
  await client.call('setMediaS3UploadFinish', { input: { id: order.media_id } });
  return order.media_id;
}

/** Waits until `done` holds for the media. @throws after `ms`, with its last state */
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
