// One guest who asks for as much as possible beside one member who converts pictures:
//
//   node lab/attack/abusive-guest.ts [rounds]
//
// Prints how long the member waits for an answer to a finished upload and for the picture, alone and under attack. Exits
// with 1 if the wait for the picture is more than twice as long, as the median of the rounds.
import { mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@framelift/contract';
import { blankPng } from '@framelift/engine/testing/pictures';
import { logIn, sendPicture, startProduct } from '../database/product.ts';
import { BEHIND_PROXY, clientOf, isConverted, picture, quantile, signInGuest } from './guest.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const DEPTH_MAPS = 15;
const FORMATS = 12;
const UPLOADS = 7;

const folder = mkdtempSync('/tmp/framelift-abuse-');
const product = await startProduct(folder, BEHIND_PROXY);
const { client: member } = await logIn(product.url, product.output());
let seed = 0;

/** Returns the seconds until the upload is answered, and until the picture is there. */
async function memberWaits(): Promise<{ answer: number; picture: number }> {
  const id = await sendPicture(product.url, member, await picture(++seed, 1500, 2000));
  const since = performance.now();
  await member.call('setMediaS3UploadFinish', { input: { id } });
  const answer = performance.now() - since;
  if (!(await isConverted(() => member, id))) throw new Error("The member's picture failed");
  return { answer: answer / 1000, picture: (performance.now() - since) / 1000 };
}

async function rounds() {
  const waits: Awaited<ReturnType<typeof memberWaits>>[] = [];
  for (let round = 0; round < ROUNDS; round++) waits.push(await memberWaits());
  return waits;
}

const calibration = (pitch: number) =>
  JSON.stringify({
    serial: 'LKG-P00001',
    pitch: { value: pitch },
    slope: { value: -7 },
    center: { value: 0.5 },
    DPI: { value: 324 },
    screenW: { value: 1536 },
    screenH: { value: 2048 },
  });

const answers = new Map<string, number>();
/** Repeats a call until stopped, with a short pause after a refusal, and counts the answers. */
async function repeat(name: string, call: () => Promise<unknown>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const answer = await call().then(
      () => 'ok',
      (error: { code?: string }) => error.code ?? String(error),
    );
    answers.set(`${name} ${answer}`, (answers.get(`${name} ${answer}`) ?? 0) + 1);
    if (answer !== 'ok') await sleep(1000);
  }
}

async function upload(guest: Client): Promise<string> {
  const id = await sendPicture(product.url, guest, await picture(++seed));
  await guest.call('setMediaS3UploadFinish', { input: { id } });
  return id;
}

await memberWaits();
const alone = await rounds();
const guest = clientOf(product, await signInGuest(product));
const [id, other] = [await upload(guest), await upload(guest)];
for (const one of [id, other]) await isConverted(() => guest, one);
let over = false;
const isOver = () => over;
const many = (count: number, name: string, call: () => Promise<unknown>) =>
  Array.from({ length: count }, () => repeat(name, call, isOver));
const depthMaps = [blankPng(9899, 9899), blankPng(6000, 8000)].map((png) => new Blob([new Uint8Array(png)]));
const attack = [
  ...many(DEPTH_MAPS, 'depth map', () =>
    guest.call('setMediaDepth', { params: { id }, file: depthMaps[++seed % 2] as Blob }),
  ),
  ...many(FORMATS, 'format', () =>
    guest.call('getMediaLink', {
      input: { id: other, format: 'native', calibration: calibration(50 + ++seed / 1000) },
    }),
  ),
  ...Array.from({ length: UPLOADS }, () => upload(guest)),
];
const attacked = await rounds();
over = true;
await Promise.allSettled(attack);

const median = (waits: typeof alone, key: 'answer' | 'picture') =>
  quantile(
    waits.map((wait) => wait[key]),
    0.5,
  );
console.log('| the member waits, s | alone | under attack |\n|---|---|---|');
for (const key of ['answer', 'picture'] as const) {
  const most = Math.max(...attacked.map((wait) => wait[key]));
  console.log(
    `| for the ${key} | ${median(alone, key).toFixed(2)} | ${median(attacked, key).toFixed(2)}, at most ${most.toFixed(2)} |`,
  );
}
console.log('answers to the guest:', Object.fromEntries(answers));
console.log(`the process ${product.child.exitCode === null ? 'lives' : 'ended'}`);
process.exitCode = median(attacked, 'picture') <= 2 * median(alone, 'picture') ? 0 : 1;
await product.stop();
rmSync(folder, { recursive: true });
