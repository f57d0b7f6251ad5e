import { execFileSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError, type Client, createClient, MEDIA_STATUS } from '@framelift/contract';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import type { Product } from '../database/product.ts';

/** The server believes X-Forwarded-For, so that each guest can have an address of its own. */
export const BEHIND_PROXY = { TRUST_PROXY: '1' };

/** Signs in a new guest from a random address. Returns the token of the session. */
export async function signInGuest({ url }: Product): Promise<string> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const answer = await fetch(`${url}/api/guestLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ guestId: randomUUID() }),
  });
  if (!answer.ok) throw new Error(`A guest was refused: ${await answer.text()}`);
  const { message } = (await answer.json()) as { message: { token: string } };
  return message.token;
}

export const clientOf = ({ url }: Product, token: string): Client =>
  createClient({ base: `${url}/api`, token: () => token });

/** Returns a JPEG that differs for every `seed`. */
export async function picture(seed: number, width = 480, height = 640): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = await encoder(drawScene(width, height))
    .withExif({ IFD0: { ImageDescription: String(seed) } })
    .jpeg()
    .toBuffer();
  return new Uint8Array(jpeg);
}

/** Waits until a conversion has ended. Returns whether it succeeded; a picture that the server does not know has not. */
export async function isConverted(client: () => Client, id: string): Promise<boolean> {
  for (;;) {
    try {
      const { status } = await client().call('media', { params: { id } });
      if (status !== MEDIA_STATUS.processing) return status === MEDIA_STATUS.finished;
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return false;
      // Otherwise the server is being restarted.
    }
    await sleep(100);
  }
}

/** Returns the ids of the conversion processes of a server. */
export function conversionProcesses({ child }: Product): number[] {
  try {
    const found = execFileSync('pgrep', ['-P', String(child.pid), '-f', 'convert-process'], { encoding: 'utf8' });
    return found.trim().split('\n').map(Number);
  } catch {
    return []; // pgrep ends with 1 when there are none
  }
}

/** Returns the value below which the given share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
