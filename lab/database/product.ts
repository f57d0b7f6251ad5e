import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError, type Client, createClient, MEDIA_TYPE } from '@framelift/contract';

/** The server as users start it, in its own process. */
export interface Product {
  readonly child: ChildProcess;
  readonly url: string;
  readonly dataDir: string;
  output(): string;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');

/**
 * Starts the server and waits until it is ready.
 * @param tree checkout to run, this one by default
 */
export async function startProduct(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  tree = ROOT,
): Promise<Product> {
  const port = await freePort();
  // Earlier versions were bundled.
  const main = join(tree, existsSync(join(tree, 'server/build.mjs')) ? 'server/dist/main.mjs' : 'server/src/main.ts');
  const { PATH = '' } = process.env;
  // As in scripts/start.mjs.
  const child = spawn(process.execPath, ['--max-semi-space-size=8', main], {
    // Its disks are small.
    env: {
      PATH,
      PORT: port,
      DATA_DIR: dataDir,
      CAPTCHA: 'off',
      CONVERTERS: '1',
      DISK_RESERVE_MB: '16',
      DEPTH_MODEL: 'basic',
      // They are drawn and converted after the first start, beside what is measured.
      SAMPLES: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exited = once(child, 'exit');
  while (!output.includes('"msg":"ready"')) {
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`);
    await sleep(5);
  }
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    dataDir,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Logs in as the administrator printed at the first start of this data folder. */
export async function logIn(url: string, printed: string): Promise<{ client: Client; token: string }> {
  const [, email = '', password = ''] = /Admin\s+(\S+)\s+password (\S+)/.exec(printed) ?? [];
  const { token } = await createClient({ base: `${url}/api` }).call('login', { input: { email, password } });
  return { client: createClient({ base: `${url}/api`, token: () => token }), token };
}

/**
 * Sends a picture for conversion to a quilt, without finishing the upload.
 * @returns the id of its media
 */
export async function sendPicture(
  url: string,
  client: Client,
  bytes: Uint8Array<ArrayBuffer>,
  strength = '100%',
): Promise<string> {
  const device = (await client.call('getDeviceType')).find(({ name }) => name === 'Looking Glass Portrait');
  if (!device) throw new Error('There is no Looking Glass Portrait');
  const { data } = await client.call('effect_params', {
    input: { device_type_id: String(device.id), media_type: String(MEDIA_TYPE.picture) as '1' },
  });
  const link = await client.call('requestUploadMedia', {
    input: {
      originalDetails: { name: 'picture.jpg', size: bytes.length, type: 'image/jpeg' },
      deviceType: device.id,
      media_type: MEDIA_TYPE.picture,
      effect_param_id: data.find(({ effect }) => effect === strength)?.id ?? 0,
    },
  });
  const answer = await fetch(new URL(link.original, url), { method: 'PUT', headers: link.headers, body: bytes });
  if (!answer.ok) throw new CallError('systemBusy', await answer.text(), answer.status, []);
  return link.media_id;
}

/**
 * Uploads a picture for conversion to a quilt.
 * @returns the id of its media
 */
export async function uploadPicture(...sent: Parameters<typeof sendPicture>): Promise<string> {
  const [, client] = sent;
  const id = await sendPicture(...sent);
  await client.call('setMediaS3UploadFinish', { input: { id } });
  return id;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return String(port);
}
