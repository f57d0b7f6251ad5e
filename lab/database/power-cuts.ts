// Simulates power failures of a server under load, and looks for lost acknowledged writes:
//
//   node lab/database/power-cuts.ts [cuts]       as root, on Linux with loop devices
//
// The data folder is on its own file system on a loop device. A power failure is a copy of the device's image at a
// random moment: data never synced is only in kernel memory, not in the copy. All processes are stopped during the
// copy, which is not instantaneous. Then a server starts from the copy.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@framelift/contract';
import { drawScene, encoder } from '@framelift/engine/testing/pictures';
import pg from 'pg';
import { logIn, type Product, startProduct, uploadPicture } from './product.ts';

const CUTS = Number(process.argv[2] ?? 10);
const WRITERS = 8;
const IMAGE_MB = 768;

const folder = mkdtempSync('/tmp/framelift-cuts-');
const image = join(folder, 'disk.img');
const copy = join(folder, 'cut.img');
const disk = join(folder, 'disk');
const restored = join(folder, 'restored');

/** Per writer, the last number whose insert was acknowledged. */
const acknowledged = new Array<number>(WRITERS).fill(0);
const uploads: string[] = [];

const connectTo = async (dataDir: string): Promise<pg.Client> => {
  const client = new pg.Client({ host: join(dataDir, 'postgres'), user: 'framelift', database: 'postgres' });
  await client.connect();
  return client;
};

async function write(writer: number, isOver: () => boolean): Promise<void> {
  const client = await connectTo(join(disk, 'data'));
  for (let n = 1; !isOver(); n++) {
    await client.query('insert into power_cuts values ($1, $2)', [writer, n]);
    acknowledged[writer] = n;
  }
  await client.end();
}

/** Uploads pictures until stopped, or until the member's rate limit is reached. */
async function uploadMany({ url, output }: Product, isOver: () => boolean): Promise<void> {
  const { client } = await logIn(url, output());
  for (let seed = 0; !isOver(); seed++) {
    const picture = await encoder(drawScene(480 + seed, 640))
      .jpeg()
      .toBuffer();
    try {
      uploads.push(await uploadPicture(url, client, new Uint8Array(picture)));
    } catch (error) {
      if (error instanceof CallError && error.status === 429) return;
      throw error;
    }
    await sleep(300);
  }
}

/** Returns the process ids of the server, the database keeper and all PostgreSQL processes. */
function processes({ child }: Product): number[] {
  const onDisk = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(`${disk}/`);
    } catch {
      return false;
    }
  });
  return [child.pid ?? 0, ...onDisk.map(Number)];
}

/**
 * Copies the disk in its current state.
 * @returns what was acknowledged before the copy
 */
function cut(product: Product) {
  const stopped = processes(product);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  const before = { numbers: [...acknowledged], uploads: [...uploads] };
  copyFileSync(image, copy);
  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  return before;
}

/** Starts a server from the copy and counts lost writes. */
async function findLosses({ numbers, uploads }: ReturnType<typeof cut>): Promise<{ inserts: number; files: number }> {
  execFileSync('mount', ['-o', 'loop', copy, restored]);
  try {
    // The lock owners are still alive here, unlike after a real power failure.
    for (const name of ['framelift.lock', 'postgres.lock']) rmSync(join(restored, 'data', name), { force: true });
    const product = await startProduct(join(restored, 'data'), { ROLE: 'web' });
    const database = await connectTo(join(restored, 'data'));
    const { rows } = await database.query(
      'select writer, max(n) as last, count(*)::int as n from power_cuts group by 1',
    );
    let inserts = 0;
    for (const [writer, last] of numbers.entries()) {
      const found = rows.find((row) => row.writer === writer);
      inserts += Math.max(0, last - (found?.n ?? 0));
    }
    const { rows: stored } = await database.query(
      `select key, size::int from media_assets join objects on key = object_key where role = 'original' and media_id = any($1)`,
      [uploads],
    );
    const whole = stored.filter(
      ({ key, size }) => statSync(join(restored, 'data/objects', key), { throwIfNoEntry: false })?.size === size,
    );
    await database.end();
    await product.stop();
    return { inserts, files: uploads.length - whole.length };
  } finally {
    execFileSync('umount', ['--lazy', restored]);
  }
}

mkdirSync(disk);
mkdirSync(restored);
execFileSync('truncate', ['-s', `${IMAGE_MB}M`, image]);
execFileSync('mkfs.ext4', ['-q', image]);
execFileSync('mount', ['-o', 'loop', image, disk]);
let failed = 0;
try {
  const product = await startProduct(join(disk, 'data'));
  const database = await connectTo(join(disk, 'data'));
  await database.query('create table power_cuts (writer int, n int)');
  await database.end();
  let isOver = false;
  const load = [...acknowledged.map((_, writer) => write(writer, () => isOver)), uploadMany(product, () => isOver)];
  for (let number = 1; number <= CUTS; number++) {
    await sleep(500 + Math.random() * 4000);
    const before = cut(product);
    const losses = await findLosses(before);
    if (losses.inserts + losses.files > 0) failed++;
    const inserts = before.numbers.reduce((sum, n) => sum + n, 0);
    console.log(
      `cut ${number}: of ${inserts} acknowledged inserts ${losses.inserts} lost, of ${before.uploads.length} uploads ${losses.files}`,
    );
  }
  isOver = true;
  await Promise.all(load);
  await product.stop();
} finally {
  execFileSync('umount', ['--lazy', disk]);
  rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;
