/**
 * The forked process in which pictures are decoded and converted. Damaged bytes, a crash in native code or memory without
 * end cost this process, never the server. See forked-engine.ts for the other side.
 */
import { EngineError } from '../errors.ts';
import type { Progress } from '../types.ts';
import { createEngine } from './engine.ts';
import type { ChildOptions, Order, Report, Task, TaskResult } from './protocol.ts';

const { threads, neuralDir, video } = JSON.parse(process.argv[2] ?? '{}') as ChildOptions;
const engine = createEngine({ threads, neuralDir, video, warn: (sentence) => console.error(sentence) });
let current: { readonly id: number; readonly cancel: AbortController } | null = null;

// The parent alone decides when this ends: a Ctrl-C in a terminal reaches the whole process group.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
// The parent has let go, or is dead. There is nothing to save, and native threads can hold up an orderly exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.on('message', (order: Order) => {
  if (order.kind === 'cancel') {
    if (current?.id === order.id) current.cancel.abort();
    return;
  }
  const { id, task } = order;
  const cancel = new AbortController();
  current = { id, cancel };
  perform(id, task, cancel.signal)
    .then((result): Report => ({ kind: 'done', id, result }))
    .catch((error: unknown): Report => ({ kind: 'failed', id, ...reasonOf(error) }))
    .then((report) => {
      current = null;
      tell(report);
      // Pictures are held outside the heap, where the collector sees no hurry: without this, each conversion would come
      // on top of what the one before left.
      globalThis.gc?.();
    });
});

async function perform(id: number, task: Task, signal: AbortSignal): Promise<TaskResult> {
  const hooks = { signal, onProgress: (progress: Progress) => tell({ kind: 'progress', id, progress }) };
  switch (task.kind) {
    case 'probe':
      return engine.probe(task.path);
    case 'depthMap':
      return engine.depthMap(task.path, task.outPath);
    case 'status':
      return engine.status();
    case 'convert':
      return engine.convert(task.request, hooks);
    case 'video':
      return engine.convertVideo(task.request, hooks);
    case 'probeVideo':
      return engine.probeVideo(task.path);
    case 'videoStill':
      await engine.videoStill(task.path, task.seconds, task.outPath);
      return null;
    case 'videoPreview':
      await engine.videoPreview(task.path, task.outPath, { signal });
      return null;
  }
}

function reasonOf(error: unknown): Pick<Extract<Report, { kind: 'failed' }>, 'code' | 'message'> {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: 'conversionFailed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function tell(report: Report): void {
  // A parent that is gone is noticed by 'disconnect'; what could not be told does not matter then.
  process.send?.(report, undefined, undefined, () => {});
}
