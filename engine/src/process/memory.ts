import { readFileSync, writeFileSync } from 'node:fs';

/** Starts a new measurement of the peak, where the system can (Linux); elsewhere the peak is that of the process's life. */
export function resetPeakMemory(): void {
  try {
    // 5: set the peak resident size to the present one (proc(5), clear_refs).
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Not Linux, or not allowed in this container: the figure is then an upper bound.
  }
}

/** Largest resident size of this process since the last reset, in MB (2^20 bytes). */
export function peakMemoryMb(): number {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes) return Math.round(Number(kilobytes) / 1024);
  } catch {
    // Not Linux.
  }
  return Math.round(process.resourceUsage().maxRSS / 1024);
}
