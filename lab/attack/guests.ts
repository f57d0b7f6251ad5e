// Many guests who finish an upload at the same moment:
//
//   node lab/attack/guests.ts [guests] [strength]       strength 0% by default
//
// Prints how long the finishes and the pictures take. Exits with 1 if one was refused or failed, or the server ended.
import { mkdtempSync, rmSync } from 'node:fs';
import { sendPicture, startProduct } from '../database/product.ts';
import { BEHIND_PROXY, clientOf, isConverted, picture, quantile, signInGuest } from './guest.ts';

const GUESTS = Number(process.argv[2] ?? 200);
const STRENGTH = process.argv[3] ?? '0%';

const folder = mkdtempSync('/tmp/framelift-guests-');
const product = await startProduct(folder, BEHIND_PROXY);
const sent: { client: ReturnType<typeof clientOf>; id: string }[] = [];
for (let seed = 0; seed < GUESTS; seed++) {
  const client = clientOf(product, await signInGuest(product));
  sent.push({ client, id: await sendPicture(product.url, client, await picture(seed), STRENGTH) });
}
const since = performance.now();
const seconds = () => (performance.now() - since) / 1000;
const finishes: number[] = [];
const pictures: number[] = [];
const errors: string[] = [];
await Promise.all(
  sent.map(async ({ client, id }) => {
    try {
      await client.call('setMediaS3UploadFinish', { input: { id } });
      finishes.push(seconds());
      if (!(await isConverted(() => client, id))) throw new Error('The picture failed');
      pictures.push(seconds());
    } catch (error) {
      errors.push(String(error));
    }
  }),
);
const line = (values: readonly number[]) =>
  `${values.length}, p50 ${quantile(values, 0.5).toFixed(1)} s, max ${Math.max(...values).toFixed(1)} s`;
console.log(`${GUESTS} guests: finishes ${line(finishes)}; pictures ${line(pictures)}`);
console.log(`errors: ${errors.length}`, [...new Set(errors)]);
const lives = product.child.exitCode === null;
console.log(`the process ${lives ? 'lives' : 'ended'}`);
process.exitCode = lives && errors.length === 0 ? 0 : 1;
await product.stop();
rmSync(folder, { recursive: true });
