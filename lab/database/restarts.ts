// Repeatedly restarts the built-in database while the server is busy, and reports the effect on callers and
// conversions:
//
//   node lab/database/restarts.ts [restarts]
//
// The process must survive, calls in flight must return 503 with Retry-After, and no conversion may lose an attempt.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError, type Client, MEDIA_STATUS } from '@framelift/contract';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import pg from 'pg';
import { logIn, type Product, startProduct, uploadPicture } from './product.ts';

const RESTARTS = Number(process.argv[2] ?? 30);
const CALLERS = 8;
const PICTURES = 6;
/** Waits 0.3 to 1.5 s between two restarts. */
const pause = () => sleep(300 + Math.random() * 1200);

const answers = new Map<string, number>();
const note = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);

/** Lists orders and renames an album until stopped, without pauses. */
async function callForever(client: Client, name: string, isOver: () => boolean): Promise<void> {
  const { id } = await stubborn(() => client.call('albumCreate', { input: { name } }));
  for (let call = 0; !isOver(); call++) {
    try {
      if (call % 4 === 0)
        await client.call('editToAlbum', { input: { id, editType: 'rename', name: `${name} ${call}` } });
      else await client.call('orders', { input: {} });
      note('ok');
    } catch (error) {
      await sleep(20);
      note(
        error instanceof CallError ? `${error.status} ${error.code}, retry after ${error.retryAfter}` : String(error),
      );
    }
  }
}

/** Repeats a call that a restart may have interrupted. */
async function stubborn<T>(task: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 503) throw error;
      await sleep(200);
    }
  }
}

async function convertPictures(product: Product, client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let seed = 0; seed < PICTURES; seed++) {
    const bytes = await encoder(drawScene(1500 + seed, 2000))
      .jpeg()
      .toBuffer();
    ids.push(await stubborn(() => uploadPicture(product.url, client, new Uint8Array(bytes))));
  }
  for (const id of ids) {
    for (;;) {
      const { status } = await stubborn(() => client.call('media', { params: { id } }));
      if (status !== MEDIA_STATUS.processing) break;
      await sleep(200);
    }
  }
  return ids;
}

/** Returns the process id of the database, once it accepts connections. */
async function postmaster(): Promise<number> {
  for (;;) {
    try {
      const note = readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8');
      const pid = Number.parseInt(note, 10);
      if (/^ready/m.test(note) && process.kill(pid, 0)) return pid;
    } catch {
      // It is starting, or the file belongs to a killed process.
    }
    await sleep(20);
  }
}

const folder = mkdtempSync('/tmp/framelift-restarts-');
const product = await startProduct(folder);
const { client } = await logIn(product.url, product.output());
let isOver = false;
const callers = Array.from({ length: CALLERS }, (_, index) => callForever(client, `caller ${index}`, () => isOver));
const converting = (async () => {
  const ids: string[] = [];
  while (!isOver) ids.push(...(await convertPictures(product, client)));
  return ids;
})();
for (let restart = 0; restart < RESTARTS && product.child.exitCode === null; restart++) {
  await pause();
  process.kill(await postmaster(), restart % 2 === 0 ? 'SIGINT' : 'SIGKILL');
}
isOver = true;
await Promise.all(callers);
const ids = await converting;
const database = new pg.Client({ host: join(folder, 'postgres'), user: 'framelift', database: 'postgres' });
await database.connect();
const { rows } = await database.query(
  `select status, media.failure_code, state, attempts, count(*)::int as pictures
     from media left join conversions on media_id = media.id group by 1, 2, 3, 4`,
);
await database.end();
console.log(`${RESTARTS} restarts; the process ${product.child.exitCode === null ? 'lives' : 'ended'}`);
console.log('answers:', Object.fromEntries(answers));
console.log(`${ids.length} pictures; conversions by state and tries:`, rows);
await product.stop();
rmSync(folder, { recursive: true });
