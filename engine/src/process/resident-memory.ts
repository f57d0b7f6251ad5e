import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const PAGE = 4096;

/**
 * Resident memory of another process in MB, or null when it is gone or the system tells nobody (Windows). On Linux this
 * reads one line of /proc; elsewhere it asks `ps`.
 */
export async function residentMemoryMb(pid: number): Promise<number | null> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => null);
    return line === null ? null : (Number(line.split(' ')[1]) * PAGE) / 2 ** 20;
  }
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, out) => resolve(error ? null : Number(out) / 1024));
  });
}
