// Kills the server and conversion processes at random moments while people upload:
//
//   node lab/attack/kills.ts [kills]
//
// Every second kill hits the server, the others one of its conversion processes. Exits with 1 if an acknowledged upload
// is lost or its picture fails.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Product, sendPicture, startProduct } from '../database/product.ts';
import { BEHIND_PROXY, clientOf, conversionProcesses, isConverted, picture, signInGuest } from './guest.ts';

const KILLS = Number(process.argv[2] ?? 50);
const UPLOADERS = 4;
/** Below the number of pictures that a guest may keep. */
const PER_GUEST = 8;
const PAUSE_MS = 3000;

const folder = mkdtempSync('/tmp/framelift-kills-');
let product: Product = await startProduct(folder, BEHIND_PROXY);
let isOver = false;
let interrupted = 0;
const acknowledged: { readonly token: string; readonly id: string }[] = [];

/**
 * Uploads pictures as one guest after the other. Their conversions are looked at once the kills are over: who waited for
 * them would hardly upload, because the next kill interrupts most of them.
 */
async function uploadForever(uploader: number): Promise<void> {
  for (let n = 0, token = ''; !isOver; n++) {
    try {
      if (token === '' || n % PER_GUEST === 0) token = await signInGuest(product);
      const id = await sendPicture(product.url, clientOf(product, token), await picture(uploader * 10_000 + n));
      await clientOf(product, token).call('setMediaS3UploadFinish', { input: { id } });
      acknowledged.push({ token, id });
      await sleep(PAUSE_MS);
    } catch {
      interrupted++;
      await sleep(200);
    }
  }
}

const uploaders = Array.from({ length: UPLOADERS }, (_, index) => uploadForever(index));
let servers = 0;
let processes = 0;
while (servers + processes < KILLS) {
  await sleep(500 + Math.random() * 4000);
  if ((servers + processes) % 2 === 0) {
    const gone = once(product.child, 'exit');
    product.child.kill('SIGKILL');
    await gone;
    servers++;
    product = await startProduct(folder, BEHIND_PROXY);
    continue;
  }
  const running = conversionProcesses(product);
  const pid = running[Math.floor(Math.random() * running.length)];
  if (pid === undefined) continue;
  process.kill(pid, 'SIGKILL');
  processes++;
}
isOver = true;
await Promise.all(uploaders);
let failed = 0;
for (const { token, id } of acknowledged) if (!(await isConverted(() => clientOf(product, token), id))) failed++;
console.log(`${servers} kills of the server and ${processes} of conversion processes`);
console.log(
  `${acknowledged.length} uploads acknowledged, ${failed} of them lost or failed; ${interrupted} interrupted before`,
);
process.exitCode = failed === 0 ? 0 : 1;
await product.stop();
rmSync(folder, { recursive: true });
