import { readFileSync, writeFileSync } from 'node:fs';

/** Resets the peak memory measurement on Linux; elsewhere the peak is that of the process's lifetime. */
export function resetPeakMemory(): void {
  try {
    // 5: reset the peak resident size to the current one (proc(5), clear_refs).
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Not Linux, or not allowed in this container: the value is then an upper bound.
  }
}

/** Returns the largest resident size of this process since the last reset, in MB (2^20 bytes). */
export function peakMemoryMb(): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes) return Math.round(Number(kilobytes) / 1024);
  } catch {
    // Not Linux.
  }
  return Math.round(process.resourceUsage().maxRSS / 1024);
}
