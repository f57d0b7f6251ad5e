/**
 * Forked process that decodes and converts pictures and videos. Damaged files, native crashes or excessive memory use
 * end this process, never the server. See forked-engine.ts for the parent side.
 */
import { EngineError } from '../errors.ts';
import { startPulse } from '../pulse.ts';
import type { Progress } from '../types.ts';
import { type AnyCall, type Order, PULSE_FD, type Report } from './calls.ts';
import { isDiskFull } from './disk-full.ts';
import { createEngine, type EngineOptions } from './engine.ts';

/** Options from the parent: the only argument, as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as EngineOptions;
const engine = createEngine({ ...options, warn: (sentence) => console.error(sentence) });
startPulse(PULSE_FD);
let current: { readonly id: number; readonly cancel: AbortController } | null = null;

// Only the parent ends this process: Ctrl-C in a terminal reaches the whole process group.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
// The parent disconnected or died. There is nothing to save, and native threads can delay an orderly exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.on('message', async (order: Order) => {
  const { id } = order;
  if ('cancel' in order) {
    if (current?.id === id) current.cancel.abort();
    return;
  }
  const cancel = new AbortController();
  current = { id, cancel };
  const onProgress = (progress: Progress) => send({ id, progress });
  try {
    const call = engine[order.call] as AnyCall;
    finish({ id, result: await call(order.input, { signal: cancel.signal, onProgress }) });
  } catch (error) {
    finish({ id, error: reasonOf(error) });
  }
});

function finish(report: Report): void {
  current = null;
  send(report);
  // Pictures are held outside the heap, so the garbage collector sees no pressure: without this call, each conversion
  // would add to the memory left by the previous one.
  globalThis.gc?.();
}

function reasonOf(error: unknown): { code: EngineError['code']; message: string } {
  // Whatever failed because of it: it is never the fault of the file.
  if (isDiskFull(error)) return { code: 'serverFull', message: String(error) };
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: 'conversionFailed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function send(report: Report): void {
  // 'disconnect' reports the loss of the parent; messages that could not be sent do not matter then.
  process.send?.(report, undefined, undefined, () => {});
}
