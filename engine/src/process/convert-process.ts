/**
 * The forked process in which pictures and videos are decoded and converted. Damaged bytes, a crash in native code or
 * memory without end cost this process, never the server. See forked-engine.ts for the other side.
 */
import { EngineError } from '../errors.ts';
import type { Progress } from '../types.ts';
import type { AnyCall, Order, Report } from './calls.ts';
import { createEngine, type EngineOptions } from './engine.ts';

/** The parent's options: the one argument, in JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as EngineOptions;
const engine = createEngine({ ...options, warn: (sentence) => console.error(sentence) });
let current: { readonly id: number; readonly cancel: AbortController } | null = null;

// The parent alone decides when this ends: a Ctrl-C in a terminal reaches the whole process group.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
// The parent has let go, or is dead. There is nothing to save, and native threads can hold up an orderly exit.
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
  // Pictures are held outside the heap, where the collector sees no hurry: without this, each conversion would come on
  // top of what the one before left.
  globalThis.gc?.();
}

function reasonOf(error: unknown): { code: EngineError['code']; message: string } {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: 'conversionFailed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function send(report: Report): void {
  // A parent that is gone is noticed by 'disconnect'; what could not be sent does not matter then.
  process.send?.(report, undefined, undefined, () => {});
}
