// Compares two checkouts of the product, each with its built-in database:
//
//   node lab/database/figures.ts BEFORE [AFTER]      folders of checkouts that are installed and built
//
// Measures for each: the first start until the server is ready, the memory of all its processes at rest, and the number
// of requests per second for a member's orders over 20 connections. Prints a Markdown table.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import { openEmbedded } from '../../server/src/platform/db/open.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { logIn, type Product, startProduct, uploadPicture } from './product.ts';

const CONNECTIONS = 20;
const ORDERS = 10;
const MEASURE_MS = 8_000;
/** By then the depth engine has run its self-test, and its process has ended. */
const REST_MS = 30_000;
const ROUNDS = 2;

interface Figures {
  readonly startMs: number;
  readonly memoryMb: number;
  readonly readsPerSecond: number;
  /** Memory at the end of the read test. */
  readonly busyMb: number;
}

/** Returns the memory of a process and all its descendants in MB; shared pages count once (PSS). */
function memoryOf(pid: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]));
    } catch {
      // The process has ended.
    }
  }
  const isBelow = (id: number | undefined): boolean => id !== undefined && (id === pid || isBelow(parents.get(id)));
  let kilobytes = 0;
  for (const id of parents.keys()) {
    if (isBelow(id)) kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1]);
  }
  return kilobytes / 1024;
}

/** Lists orders over keep-alive connections, each sending the next request when the previous one is answered. */
async function readsPerSecond({ url }: Product, token: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const end = performance.now() + MEASURE_MS;
  let answered = 0;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      get(`${url}/api/orders`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`Answered with ${response.statusCode}`));
        response.resume().on('end', resolve);
      }).on('error', reject);
    });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        await ask();
        answered++;
      }
    }),
  );
  agent.destroy();
  return answered / (MEASURE_MS / 1000);
}

async function measure(tree: string): Promise<Figures> {
  const folder = mkdtempSync('/tmp/framelift-figures-');
  const started = performance.now();
  const product = await startProduct(folder, {}, tree);
  const startMs = performance.now() - started;
  await sleep(REST_MS);
  const memoryMb = memoryOf(product.child.pid ?? 0);
  const { client, token } = await logIn(product.url, product.output());
  for (let seed = 0; seed < ORDERS; seed++) {
    const picture = await encoder(drawScene(480 + seed, 640))
      .jpeg()
      .toBuffer();
    await uploadPicture(product.url, client, new Uint8Array(picture), '0%');
  }
  await sleep(5_000);
  const reads = await readsPerSecond(product, token);
  const busyMb = memoryOf(product.child.pid ?? 0);
  await product.stop();
  rmSync(folder, { recursive: true });
  return { startMs, memoryMb, readsPerSecond: reads, busyMb };
}

/** Measures the start of the database alone, with a new folder and again with the same one. */
async function databaseStarts(): Promise<[number, number]> {
  const folder = mkdtempSync('/tmp/framelift-figures-');
  const open = async (): Promise<number> => {
    const started = performance.now();
    const opened = await openEmbedded(join(folder, 'postgres'), createLog('error'));
    const took = performance.now() - started;
    await opened.close();
    return took;
  };
  const times: [number, number] = [await open(), await open()];
  rmSync(folder, { recursive: true });
  return times;
}

const trees = [process.argv[2] ?? '', process.argv[3] ?? join(import.meta.dirname, '../..')];
const results: Figures[][] = [[], []];
const [first, again] = await databaseStarts();
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, tree] of trees.entries()) results[index]?.push(await measure(tree));
}
const cells = (key: keyof Figures) =>
  results.map((figures) => figures.map((figure) => Math.round(figure[key])).join(', ')).join(' | ');
console.log(`Database alone: first start ${Math.round(first)} ms, later ${Math.round(again)} ms\n`);
console.log('| | before | after |\n|---|---|---|');
console.log(`| first start of the server until ready, ms | ${cells('startMs')} |`);
console.log(`| memory at rest, all processes, MB | ${cells('memoryMb')} |`);
console.log(`| memory after the lists, all processes, MB | ${cells('busyMb')} |`);
console.log(`| lists of orders a second | ${cells('readsPerSecond')} |`);
