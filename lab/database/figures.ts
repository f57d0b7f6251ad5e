// Measures the product with its built-in database, or compares two checkouts of it:
//
//   node lab/database/figures.ts [BEFORE]      folder of another checkout that is installed and built
//
// Measures for each: the first start until the server is ready, the memory of its processes at rest, and the number of
// requests per second for a member's orders over 20 connections. Prints a Markdown table.
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
/** Idle connections to the database and their processes have ended by then. */
const REST_MS = 30_000;
const ROUNDS = 2;

/** Memory in MB. */
interface Memory {
  readonly server: number;
  /** Without the process that starts it. */
  readonly database: number;
  readonly keeper: number;
  readonly all: number;
}

interface Figures {
  readonly startMs: number;
  readonly rest: Memory;
  readonly readsPerSecond: number;
  /** Memory at the end of the read test. */
  readonly busyMb: number;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
};

/** Returns a process and all its descendants. */
function treeOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name))
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1]));
  }
  const isBelow = (id: number | undefined): boolean => id !== undefined && (id === pid || isBelow(parents.get(id)));
  return [...parents.keys()].filter(isBelow);
}

/** Returns the memory of a server and its processes; shared pages count once (PSS). */
function memoryOf(pid: number): Memory {
  const memory = { server: 0, database: 0, keeper: 0, all: 0 };
  for (const id of treeOf(pid)) {
    const megabytes = Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0) / 1024;
    const command = read(`/proc/${id}/cmdline`);
    memory.all += megabytes;
    if (id === pid) memory.server += megabytes;
    else if (command.includes('keeper.ts')) memory.keeper += megabytes;
    else if (command.includes('postgres')) memory.database += megabytes;
  }
  return memory;
}

/** Waits until the process that runs the self-test of the depth engine has ended, and for a while longer. */
async function rest(pid: number): Promise<void> {
  do await sleep(REST_MS);
  while (treeOf(pid).some((id) => read(`/proc/${id}/cmdline`).includes('convert-process')));
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
  const pid = product.child.pid ?? 0;
  await rest(pid);
  const atRest = memoryOf(pid);
  const { client, token } = await logIn(product.url, product.output());
  for (let seed = 0; seed < ORDERS; seed++) {
    const picture = await encoder(drawScene(480 + seed, 640))
      .jpeg()
      .toBuffer();
    await uploadPicture(product.url, client, new Uint8Array(picture), '0%');
  }
  await sleep(5_000);
  const reads = await readsPerSecond(product, token);
  const busyMb = memoryOf(pid).all;
  await product.stop();
  rmSync(folder, { recursive: true });
  return { startMs, rest: atRest, readsPerSecond: reads, busyMb };
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

const [, , before] = process.argv;
const own = join(import.meta.dirname, '../..');
const trees = before === undefined ? [own] : [before, own];
const results: Figures[][] = trees.map(() => []);
const [first, again] = await databaseStarts();
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, tree] of trees.entries()) results[index]?.push(await measure(tree));
}
const row = (label: string, figureOf: (figures: Figures) => number) => {
  const cells = results.map((figures) => figures.map((one) => Math.round(figureOf(one))).join(', '));
  console.log(`| ${label} | ${cells.join(' | ')} |`);
};
console.log(`Database alone: first start ${Math.round(first)} ms, later ${Math.round(again)} ms\n`);
console.log(`| | ${trees.length === 1 ? 'now' : 'before | now'} |\n|---|${'---|'.repeat(trees.length)}`);
row('first start of the server until ready, ms', ({ startMs }) => startMs);
row('memory at rest, all processes, MB', ({ rest }) => rest.all);
row('– server', ({ rest }) => rest.server);
row('– PostgreSQL', ({ rest }) => rest.database);
row('– process that starts PostgreSQL', ({ rest }) => rest.keeper);
row('memory after the lists, all processes, MB', ({ busyMb }) => busyMb);
row('lists of orders a second', ({ readsPerSecond }) => readsPerSecond);
