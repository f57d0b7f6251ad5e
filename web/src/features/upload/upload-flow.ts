import type { FileKind } from '@framelift/contract';
import type { PairChoice, PairLayout } from '@framelift/contract/formats';
import type { Ground } from '@framelift/engine/geometry';
import type { Rect, Size } from '../../ui/crop/crop-rect.ts';
import { type Edit, isSameMove, NO_EDIT } from '../../ui/crop/picture-edit.ts';
import type { Part } from './put-parts.ts';

/**
 * Display state of the chosen file. `source` is the upright size of the file itself; the picture may be a smaller copy.
 */
export type Shown =
  | { readonly state: 'loading' }
  | {
      readonly state: 'ready';
      readonly url: string;
      readonly source: Size;
      readonly ground: Ground | null;
      /** How the picture may hold two eyes. */
      readonly pair: PairLayout | null;
    }
  /** This browser cannot decode the file: it is uploaded unchanged, and the server centres the crop. */
  | { readonly state: 'unshowable' };

export interface Chosen {
  readonly file: File;
  readonly kind: FileKind;
  readonly shown: Shown;
}

/** Server-side state of one upload, kept so that a retry sends only what is missing. */
export interface Ticket {
  readonly mediaId: string;
  readonly parts: readonly Part[];
  /** ISO time at which the upload links expire. */
  readonly expiresAt: string;
  /** True once the whole file was accepted. */
  readonly arrived: boolean;
}

export interface Failure {
  /** Heading for the failed step, if it adds information to the message. */
  readonly title: string | null;
  readonly message: string;
  /** `adjust`: the form must be changed first; `choose`: another file is needed; `none`: a retry cannot help. */
  readonly next: 'retry' | 'choose' | 'adjust' | 'none';
}

export type Sending =
  | { readonly phase: 'idle' }
  | { readonly phase: 'asking'; readonly waiting?: boolean }
  /** `waiting`: the line is broken or the server is away, and the upload goes on by itself. */
  | { readonly phase: 'sending'; readonly sent: number; readonly total: number; readonly waiting: boolean }
  | { readonly phase: 'checking'; readonly waiting?: boolean }
  | { readonly phase: 'done'; readonly mediaId: string }
  | { readonly phase: 'failed'; readonly failure: Failure };

export interface UploadFlow {
  /** 0 nothing chosen, 1 cropping, 2 the video itself with its strength. */
  readonly step: 0 | 1 | 2;
  readonly chosen: Chosen | null;
  /** Crop in percent of the picture shown; null until the cropper has measured itself. */
  readonly area: Rect | null;
  /** How the picture is turned and bordered before it is cropped. */
  readonly edit: Edit;
  /** Ground chosen for a picture with transparent parts; null while its own one is used. */
  readonly ground: Ground | null;
  /** What a picture that looks like a pair is; null leaves it to the server. */
  readonly pair: PairChoice | null;
  readonly sending: Sending;
  readonly ticket: Ticket | null;
  /** Number of the attempt, so that events of a cancelled one are recognised and dropped. */
  readonly attempt: number;
  /** The 'areYouSure' question is shown. */
  readonly asked: boolean;
  readonly closed: boolean;
}

export type UploadEvent =
  | { readonly type: 'open' }
  /** `area` and `edit` are those of an earlier visit. */
  | {
      readonly type: 'choose';
      readonly file: File;
      readonly kind: FileKind;
      readonly area?: Rect | null;
      readonly edit?: Edit;
    }
  | {
      readonly type: 'shown';
      readonly file: File;
      readonly url: string;
      readonly source: Size;
      readonly ground: Ground | null;
      readonly pair?: PairLayout | null;
    }
  | { readonly type: 'unshowable'; readonly file: File }
  | { readonly type: 'unreadable'; readonly file: File }
  | { readonly type: 'area'; readonly area: Rect | null }
  | { readonly type: 'edit'; readonly edit: Edit }
  | { readonly type: 'ground'; readonly ground: Ground }
  | { readonly type: 'pair'; readonly pair: PairChoice | null }
  /** The frame or the strength was changed. */
  | { readonly type: 'formChanged' }
  /** From the crop of a video's still to the video itself. */
  | { readonly type: 'next' }
  | { readonly type: 'back' }
  /** `asks`: whether 'areYouSure' is asked first; by default if something would be lost. */
  | { readonly type: 'cancel'; readonly asks?: boolean }
  | { readonly type: 'stay' }
  | { readonly type: 'leave' }
  | { readonly type: 'start' }
  | { readonly type: 'ticket'; readonly attempt: number; readonly ticket: Ticket }
  | { readonly type: 'progress'; readonly attempt: number; readonly sent: number; readonly total: number }
  | { readonly type: 'waiting'; readonly attempt: number }
  | { readonly type: 'arrived'; readonly attempt: number }
  | { readonly type: 'done'; readonly attempt: number; readonly mediaId: string }
  /** `ticket` is the part that is still valid; null requests a new one for the next attempt. */
  | { readonly type: 'failed'; readonly attempt: number; readonly failure: Failure; readonly ticket: Ticket | null }
  | { readonly type: 'abort' };

export const startOfUpload: UploadFlow = {
  step: 0,
  chosen: null,
  area: null,
  edit: NO_EDIT,
  ground: null,
  pair: null,
  sending: { phase: 'idle' },
  ticket: null,
  attempt: 0,
  asked: false,
  closed: false,
};

const IDLE = { phase: 'idle' } as const;

/** True while a request or an upload is pending: the form is locked and navigation is blocked. */
export function isUploading({ sending }: Pick<UploadFlow, 'sending'>): boolean {
  return sending.phase === 'asking' || sending.phase === 'sending' || sending.phase === 'checking';
}

/** True if cancelling loses work, so 'areYouSure' is asked first. */
export const mustAsk = (flow: UploadFlow) => (flow.step === 1 && flow.sending.phase !== 'done') || isUploading(flow);

/** State machine of the upload dialog. Everything external (files, network, clock) arrives as an event. */
export function uploadFlow(flow: UploadFlow, event: UploadEvent): UploadFlow {
  if ('attempt' in event) return event.attempt === flow.attempt && isUploading(flow) ? report(flow, event) : flow;
  if (event.type === 'open') return { ...startOfUpload, attempt: flow.attempt + 1 };
  if (event.type === 'stay') return { ...flow, asked: false };
  if (event.type === 'leave') return { ...flow, asked: false, closed: true };
  if (flow.sending.phase === 'done') return flow;
  if (event.type === 'cancel')
    return (event.asks ?? mustAsk(flow)) ? { ...flow, asked: true } : { ...flow, closed: true };
  if (isUploading(flow)) return event.type === 'abort' ? { ...changed(flow), attempt: flow.attempt + 1 } : flow;

  switch (event.type) {
    case 'choose':
      return {
        ...startOfUpload,
        attempt: flow.attempt,
        step: 1,
        area: event.area ?? null,
        edit: event.edit ?? NO_EDIT,
        chosen: {
          file: event.file,
          kind: event.kind,
          shown: { state: 'loading' },
        },
      };
    case 'shown':
      return show(flow, event.file, {
        state: 'ready',
        url: event.url,
        source: event.source,
        ground: event.ground,
        pair: event.pair ?? null,
      });
    case 'unshowable':
      return show(flow, event.file, { state: 'unshowable' });
    case 'unreadable':
      return flow.chosen?.file === event.file ? { ...startOfUpload, attempt: flow.attempt } : flow;
    case 'area':
      return isSameArea(flow.area, event.area) ? flow : { ...changed(flow), area: event.area };
    case 'edit': {
      // Another picture is measured anew; a border only hides the crop.
      const area = isSameMove(flow.edit, event.edit) ? flow.area : null;
      return { ...changed(flow), edit: event.edit, area };
    }
    case 'ground':
      return { ...changed(flow), ground: event.ground };
    case 'pair':
      // Another picture is shown, which is measured anew; half of a turned one would be none.
      return { ...changed(flow), pair: event.pair, area: null, edit: NO_EDIT };
    case 'formChanged':
      return changed(flow);
    case 'next':
      return flow.chosen?.kind === 'video' ? { ...flow, step: 2 } : flow;
    case 'back':
      return flow.step === 2 ? { ...changed(flow), step: 1 } : { ...startOfUpload, attempt: flow.attempt };
    case 'start':
      return flow.chosen ? { ...flow, sending: { phase: 'asking' }, attempt: flow.attempt + 1 } : flow;
    case 'abort':
      return flow;
  }
}

/** Report of an upload in progress. */
export type SendingReport = Extract<UploadEvent, { attempt: number }>;

function report(flow: UploadFlow, event: SendingReport): UploadFlow {
  return { ...flow, ...(event.type === 'done' && { asked: false }), ...applyReport(flow, event) };
}

type Uploading = Pick<UploadFlow, 'sending' | 'ticket'>;

/** Returns the state of an upload after one of its reports. */
export function applyReport({ sending, ticket }: Uploading, event: SendingReport): Uploading {
  switch (event.type) {
    case 'ticket': {
      const { parts } = event.ticket;
      const total = parts.reduce((sum, { size }) => sum + size, 0);
      return {
        ticket: event.ticket,
        sending: { phase: 'sending', sent: arrivedBytes(event.ticket), total, waiting: false },
      };
    }
    case 'progress':
      return { ticket, sending: { phase: 'sending', sent: event.sent, total: event.total, waiting: false } };
    case 'waiting':
      return { ticket, sending: isUploading({ sending }) ? ({ ...sending, waiting: true } as Sending) : sending };
    case 'arrived':
      return { ticket: ticket && { ...ticket, arrived: true }, sending: { phase: 'checking' } };
    case 'done':
      return { ticket: null, sending: { phase: 'done', mediaId: event.mediaId } };
    case 'failed':
      return { ticket: event.ticket, sending: { phase: 'failed', failure: event.failure } };
  }
}

/** Returns the bytes of an upload that the server has. */
export function arrivedBytes({ parts }: Ticket): number {
  return parts.reduce((sum, { arrived, size }) => sum + (arrived ? size : 0), 0);
}

function show(flow: UploadFlow, file: File, shown: Shown): UploadFlow {
  // A slow decoder may finish for a file that was replaced meanwhile.
  return flow.chosen?.file === file ? { ...flow, chosen: { ...flow.chosen, shown } } : flow;
}

/**
 * Compares areas with a tolerance: the cropper reports its area again whenever its own size changes, which is not a
 * change of the form.
 */
function isSameArea(one: Rect | null, other: Rect | null): boolean {
  if (!one || !other) return one === other;
  const near = (a: number, b: number) => Math.abs(a - b) < 0.02;
  return near(one.x, other.x) && near(one.y, other.y) && near(one.width, other.width) && near(one.height, other.height);
}

/** A ticket is valid for an unchanged form only: a changed form needs a new one. */
function changed(flow: UploadFlow): UploadFlow {
  return { ...flow, ticket: null, sending: IDLE };
}
