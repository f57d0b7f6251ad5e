import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const PAGE = 4096;
const CHECK_MS = 150;

/**
 * Calls `onExceeded` at each check that finds a process above the limit in MB.
 * @returns a function that stops watching
 */
export function watchMemory(pid: number, limitMb: number, onExceeded: () => void): () => void {
  const timer = setInterval(async () => {
    const resident = await residentMemoryMb(pid);
    if (resident !== null && resident > limitMb) onExceeded();
  }, CHECK_MS);
  return () => clearInterval(timer);
}

/**
 * Returns the resident memory of another process in MB, or null if it is gone or the system does not report it
 * (Windows). Reads one line of /proc on Linux; calls `ps` elsewhere.
 */
async function residentMemoryMb(pid: number): Promise<number | null> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => null);
    return line === null ? null : (Number(line.split(' ')[1]) * PAGE) / 2 ** 20;
  }
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, out) => resolve(error ? null : Number(out) / 1024));
  });
}
