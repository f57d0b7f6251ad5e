import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderInUse, lockFolder } from './lock.ts';

/** Enough rounds for a takeover without the second lock to fail. */
const ROUNDS = 200;

describe('the lock of the data folder', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'framelift-lock-'));
    path = join(folder, 'data', 'framelift.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const owner = () => JSON.parse(readFileSync(path, 'utf8'));
  const pretend = (changes: object) => {
    const lock = lockFolder(path);
    const own = owner();
    lock.release();
    writeFileSync(path, JSON.stringify({ ...own, token: 'another', ...changes }));
  };
  /** Returns the process id of a process that has exited. */
  const deadPid = async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    return child.pid ?? expect.fail('no pid');
  };

  it('is taken by one and free again when released, with nothing left beside it', () => {
    const lock = lockFolder(path);
    expect(() => lockFolder(path)).toThrow(FolderInUse);
    expect(() => lockFolder(path)).toThrow(
      `The data folder ${join(folder, 'data')} is in use by process ${process.pid}: stop that Framelift first, or give this one another DATA_DIR.`,
    );
    lock.release();
    lock.release();
    expect(readdirSync(join(folder, 'data'))).toEqual([]);
    lockFolder(path).release();
  });

  it('of a killed process is taken over at once', async () => {
    pretend({ pid: await deadPid() });
    const lock = lockFolder(path);
    expect(owner().pid).toBe(process.pid);
    lock.release();
    expect(existsSync(path)).toBe(false);
  });

  it('of a dead process whose id was given to another is taken over', () => {
    pretend({ begun: 'long before 1' });
    lockFolder(path).release();
  });

  it('with nothing readable in it is taken over, as after a power cut', () => {
    pretend({});
    writeFileSync(path, '');
    lockFolder(path).release();
  });

  it('of another machine or container counts while its owner gives signs of life', () => {
    pretend({ host: 'elsewhere', pid: 1 });
    expect(() => lockFolder(path)).toThrow('in use by process 1 on elsewhere');
    const silent = new Date(Date.now() - 60_000);
    utimesSync(path, silent, silent);
    lockFolder(path).release();
    pretend({ space: 'pid:[1]', pid: 1 });
    expect(() => lockFolder(path)).toThrow(FolderInUse);
  });

  it('of somebody else is never removed by a late release', () => {
    const lock = lockFolder(path);
    writeFileSync(path, JSON.stringify({ ...owner(), token: 'another' }));
    lock.release();
    expect(existsSync(path)).toBe(true);
  });

  it('goes to exactly one of many processes that find a dead one together, time after time', async () => {
    pretend({ pid: await deadPid() });
    const dead = readFileSync(path);
    const script = join(folder, 'race.ts');
    writeFileSync(
      script,
      `import { lockFolder } from ${JSON.stringify(fileURLToPath(new URL('./lock.ts', import.meta.url)))};
let lock;
process.on('message', (word) => {
  try { word === 'go' ? (lock = lockFolder(${JSON.stringify(path)})) : (lock = lock?.release()); process.send('mine'); }
  catch (error) { process.send(error.name); }
});
process.send('ready');`,
    );
    const children = Array.from({ length: 4 }, () => fork(script));
    await Promise.all(children.map((child) => once(child, 'message')));
    const tell = async (word: string) => {
      const answers = children.map((child) => once(child, 'message'));
      for (const child of children) child.send(word);
      return (await Promise.all(answers)).map(([answer]) => answer).sort();
    };
    for (let round = 0; round < ROUNDS; round++) {
      expect(await tell('go')).toEqual(['FolderInUse', 'FolderInUse', 'FolderInUse', 'mine']);
      await tell('release');
      expect(readdirSync(join(folder, 'data'))).toEqual([]);
      writeFileSync(path, dead);
    }
    for (const child of children) child.kill();
  });
});
