import type { Rect } from '../../ui/crop/crop-rect.ts';
import { type Border, type Edit, isSameMove, NO_EDIT } from '../../ui/crop/picture-edit.ts';
import type { RefusedFile, Taken, TakenFile } from './take-files.ts';
import type { Thumbnail } from './thumbnail.ts';
import {
  applyReport,
  arrivedBytes,
  isUploading,
  type Sending,
  type SendingReport,
  type Ticket,
} from './upload-flow.ts';

/** Display state of a file among several: a small copy, because many large pictures at once do not fit a phone. */
export type ItemShown =
  | { readonly state: 'loading' }
  | ({ readonly state: 'ready' } & Thumbnail)
  /** This browser cannot decode the file: it is uploaded unchanged, and the server centres the crop. */
  | { readonly state: 'unshowable' };

/** One of several files, with its own crop and, if it differs from the others', its own device type. */
export interface Item extends TakenFile {
  readonly key: number;
  readonly shown: ItemShown;
  /** Crop in percent of the edited picture, chosen by the user; null while the suggestion is used. */
  readonly area: Rect | null;
  readonly edit: Edit;
  readonly deviceTypeId: number | null;
  readonly sending: Sending;
  readonly ticket: Ticket | null;
}

export interface ManyFlow {
  readonly items: readonly Item[];
  readonly refused: readonly RefusedFile[];
  /** Key of the item in the cropper. */
  readonly editing: number | null;
  /** The items are uploaded one after the other until none is left. */
  readonly running: boolean;
  /** Number of the upload in progress, so that events of a cancelled one are recognised and dropped. */
  readonly attempt: number;
  readonly nextKey: number;
}

export type ManyEvent =
  | { readonly type: 'clear' }
  | { readonly type: 'add'; readonly files: Taken }
  | { readonly type: 'shown'; readonly key: number; readonly shown: ItemShown }
  /** The file cannot be read any more: it was moved or changed. */
  | { readonly type: 'unreadable'; readonly key: number }
  | { readonly type: 'edit'; readonly key: number }
  | { readonly type: 'edited' }
  /** A crop was chosen. An edited picture gets another small copy. */
  | { readonly type: 'crop'; readonly key: number; readonly area: Rect | null; readonly edit: Edit }
  | { readonly type: 'border'; readonly keys: readonly number[]; readonly border: Border | null }
  | { readonly type: 'device'; readonly keys: readonly number[]; readonly deviceTypeId: number | null }
  /** Removes an item; one that is being uploaded is cancelled. */
  | { readonly type: 'remove'; readonly key: number }
  | { readonly type: 'dismissRefused' }
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  | { readonly type: 'send'; readonly key: number }
  /** Uploads the rest, and again what failed for a reason that may have passed. */
  | { readonly type: 'goOn' }
  | { readonly type: 'report'; readonly key: number; readonly report: SendingReport };

export const noItems: ManyFlow = { items: [], refused: [], editing: null, running: false, attempt: 0, nextKey: 0 };

const IDLE = { phase: 'idle' } as const;

export const isBusy: (item: Item) => boolean = isUploading;
export const isDone = ({ sending }: Item) => sending.phase === 'done';
export const isFailed = ({ sending }: Item) => sending.phase === 'failed';
export const isWaiting = ({ sending }: Item) => sending.phase === 'idle';

const isRetryable = ({ sending }: Item) => sending.phase === 'failed' && sending.failure.next === 'retry';

/** Returns whether a stopped flow has something left to upload. */
export const canGoOn = ({ items }: ManyFlow) => items.some((item) => isWaiting(item) || isRetryable(item));

/** Returns whether the line is broken; the upload goes on when it is back. */
export const isInterrupted = ({ items }: ManyFlow) =>
  items.some(({ sending }) => 'waiting' in sending && sending.waiting);

/** Returns the share of all bytes that have arrived, 0 … 1. */
export function progressOf({ items }: ManyFlow): number {
  let sent = 0;
  let total = 0;
  for (const { file, sending, ticket } of items) {
    const { size } = file;
    total += size;
    if (sending.phase === 'done' || sending.phase === 'checking') sent += size;
    else if (sending.phase === 'sending') sent += Math.min(sending.sent, size);
    else if (ticket) sent += arrivedBytes(ticket);
  }
  return total === 0 ? 0 : sent / total;
}

/**
 * State machine of several files: checked on one screen, then uploaded in order. A failed one keeps its place and never
 * stops the others. Everything external arrives as an event.
 */
export function manyFlow(flow: ManyFlow, event: ManyEvent): ManyFlow {
  switch (event.type) {
    case 'clear':
      return { ...noItems, attempt: flow.attempt + 1, nextKey: flow.nextKey };
    case 'add': {
      const items = event.files.taken.map((one, i) => ({
        ...one,
        key: flow.nextKey + i,
        shown: { state: 'loading' } as const,
        area: null,
        edit: NO_EDIT,
        deviceTypeId: null,
        sending: IDLE,
        ticket: null,
      }));
      return {
        ...flow,
        items: [...flow.items, ...items],
        refused: [...flow.refused, ...event.files.refused],
        nextKey: flow.nextKey + items.length,
      };
    }
    case 'shown':
      return change(flow, [event.key], () => ({ shown: event.shown }));
    case 'unreadable': {
      const gone = flow.items.find(({ key }) => key === event.key);
      return gone
        ? { ...without(flow, event.key), refused: [...flow.refused, { name: gone.file.name, code: 'readerError' }] }
        : flow;
    }
    case 'edit':
      return flow.running ? flow : { ...flow, editing: event.key };
    case 'edited':
      return { ...flow, editing: null };
    case 'crop':
      return change({ ...flow, editing: null }, [event.key], (item) => ({
        area: event.area,
        edit: event.edit,
        ticket: null,
        ...(!isSameMove(item.edit, event.edit) && { shown: { state: 'loading' } as const }),
      }));
    case 'border':
      return change(flow, event.keys, ({ edit }) => ({ edit: { ...edit, border: event.border }, ticket: null }));
    case 'device':
      return change(flow, event.keys, () => ({ deviceTypeId: event.deviceTypeId, ticket: null }));
    case 'remove':
      return without(flow, event.key);
    case 'dismissRefused':
      return { ...flow, refused: [] };
    case 'start':
      return run({ ...flow, editing: null });
    case 'stop': {
      const stopped = { ...flow, running: false, attempt: flow.attempt + 1 };
      return change(stopped, stopped.items.filter(isBusy).map(keyOf), () => ({ sending: IDLE }));
    }
    case 'send':
      return change({ ...flow, attempt: flow.attempt + 1 }, [event.key], () => ({ sending: { phase: 'asking' } }));
    case 'goOn':
      return run(change(flow, flow.items.filter(isRetryable).map(keyOf), () => ({ sending: IDLE })));
    case 'report': {
      const { report } = event;
      if (report.attempt !== flow.attempt) return flow;
      const next = change(flow, [event.key], (item) => (isBusy(item) ? applyReport(item, report) : {}));
      return hasWork(next.items) ? next : { ...next, running: false };
    }
  }
}

export const keyOf = ({ key }: Item) => key;

/** Returns whether something is being uploaded or will be. Otherwise running would never end. */
const hasWork = (items: readonly Item[]) => items.some((item) => isBusy(item) || isWaiting(item));

const run = (flow: ManyFlow): ManyFlow => ({ ...flow, running: hasWork(flow.items) });

function change(flow: ManyFlow, keys: readonly number[], made: (item: Item) => Partial<Item>): ManyFlow {
  return { ...flow, items: flow.items.map((item) => (keys.includes(item.key) ? { ...item, ...made(item) } : item)) };
}

function without(flow: ManyFlow, key: number): ManyFlow {
  const items = flow.items.filter((item) => item.key !== key);
  const cancels = flow.items.some((item) => item.key === key && isBusy(item));
  return {
    ...flow,
    items,
    editing: flow.editing === key ? null : flow.editing,
    attempt: cancels ? flow.attempt + 1 : flow.attempt,
    running: flow.running && hasWork(items),
  };
}
