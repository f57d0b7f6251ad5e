import {
  type Client,
  ERRORS,
  FILE_TYPES,
  type FileKind,
  isErrorCode,
  MEDIA_STATUS,
  MEDIA_TYPE,
} from '@framelift/contract';
import type { PairChoice } from '@framelift/contract/formats';
import type { Ground } from '@framelift/engine/geometry';
import { isCallError } from '../../api/client.ts';
import { errorText } from '../../i18n/error-text.ts';
import { isTooFewPoints } from '../../shared/too-few-points.ts';
import type { EditedCrop } from '../../ui/crop/picture-edit.ts';
import { sniff } from './file-rules.ts';
import { PutError } from './put-file.ts';
import { putParts } from './put-parts.ts';
import type { Failure, SendingReport, Ticket } from './upload-flow.ts';

/** Input of the upload dialog. Without `crop` the server crops around the centre. */
export interface UploadOrder {
  readonly file: File;
  readonly kind: FileKind;
  readonly deviceTypeId: number;
  readonly effectId: number;
  readonly crop: EditedCrop | null;
  /** Id of the album or the frame that gets the result. */
  readonly to?: string | undefined;
  /** Of a picture with transparent parts. */
  readonly ground: Ground | null;
  /** Of a picture that looks like a pair; absent or null leaves it to the server. */
  readonly pair?: PairChoice | null;
  /** Ticket left by an earlier attempt of the same order. */
  readonly ticket: Ticket | null;
}

type Step = 'asking' | 'sending' | 'checking';

/**
 * Requests links, PUTs the file in parts and reports its arrival; steps and parts completed by an earlier attempt are
 * skipped. Every outcome is reported as an event, except an abort.
 */
export async function sendMedia(
  call: Client['call'],
  order: UploadOrder,
  {
    attempt,
    signal,
    tell,
    patienceMs,
  }: {
    attempt: number;
    signal: AbortSignal;
    tell: (event: SendingReport) => void;
    patienceMs?: number;
  },
): Promise<void> {
  let step: Step = 'asking';
  let ticket = order.ticket;
  try {
    if (!ticket || (!ticket.arrived && hasExpired(ticket))) ticket = await askForLink(call, order, ticket, signal);
    tell({ type: 'ticket', attempt, ticket });

    step = 'sending';
    let maySendOn = true;
    while (!ticket.arrived) {
      let current: Ticket = ticket;
      try {
        await putParts(order.file, current.parts, {
          signal,
          ...(patienceMs !== undefined && { patienceMs }),
          onProgress: (sent) => tell({ type: 'progress', attempt, sent, total: order.file.size }),
          onWaiting: () => tell({ type: 'waiting', attempt }),
          onArrived: (index) => {
            maySendOn = true;
            current = withArrived(current, index);
            ticket = current;
          },
        });
        ticket = { ...current, arrived: true };
      } catch (error) {
        // On a very slow line the links can expire on the way: the parts that have arrived stay.
        if (!(error instanceof PutError) || !error.needsLink || !maySendOn) throw error;
        maySendOn = false;
        ticket = await askForLink(call, order, current, signal);
      }
    }
    tell({ type: 'arrived', attempt });

    step = 'checking';
    // The server derives the status itself; the client of the specification sends this one.
    const status = order.effectId === 0 ? MEDIA_STATUS.finished : MEDIA_STATUS.processing;
    await call('setMediaS3UploadFinish', { input: { id: ticket.mediaId, status }, signal });
    tell({ type: 'done', attempt, mediaId: ticket.mediaId });
  } catch (error) {
    if (signal.aborted) return;
    tell({ type: 'failed', attempt, failure: failureOf(error, step), ticket: whatHolds(error, ticket) });
  }
}

async function askForLink(
  call: Client['call'],
  order: UploadOrder,
  earlier: Ticket | null,
  signal: AbortSignal,
): Promise<Ticket> {
  const { file } = order;
  const sniffed = await sniff(file);
  // The content decides what the file is: some phones tell nothing of its type, or something wrong.
  const type = sniffed ? FILE_TYPES[sniffed].mime : file.type;
  const ask = (earlier: Ticket | null) =>
    call('requestUploadMedia', {
      input: {
        originalDetails: { name: file.name, size: file.size, type },
        deviceType: order.deviceTypeId,
        media_type: MEDIA_TYPE[order.kind],
        effect_param_id: order.effectId,
        ...(order.crop && { crop: order.crop }),
        ...(order.ground && { ground: order.ground }),
        ...(order.pair && { pair: order.pair }),
        ...(order.to && { to: order.to }),
        ...(earlier && { id: earlier.mediaId, resume: true }),
      },
      signal,
    });
  const answer = await ask(earlier).catch((error: unknown) => {
    // An upload that was left for too long is forgotten: it begins anew.
    if (earlier && isCallError(error) && error.code === 'mediaNotFound') return ask(null);
    throw error;
  });
  return {
    mediaId: answer.media_id,
    parts: answer.parts,
    expiresAt: answer.expires_at,
    arrived: false,
  };
}

const withArrived = (ticket: Ticket, index: number): Ticket => ({
  ...ticket,
  parts: ticket.parts.map((part, at) => (at === index ? { ...part, arrived: true } : part)),
});

const hasExpired = (ticket: Ticket) => Date.parse(ticket.expiresAt) <= Date.now();

/** Errors of the finish call after which the file must be sent again to the same media. */
const SEND_AGAIN = ['uploadMissing', 'uploadSizeMismatch'];

const EXPIRED = new Date(0).toISOString();

/** Returns the part of the ticket that survives the failure. A refused link is requested again for the same media. */
function whatHolds(error: unknown, ticket: Ticket | null): Ticket | null {
  if (!ticket) return null;
  if (error instanceof PutError) {
    return error.code === 'fileUploadFailed' ? { ...ticket, expiresAt: EXPIRED } : ticket;
  }
  if (!isCallError(error)) return ticket;
  // The new links tell which parts the server has.
  if (SEND_AGAIN.includes(error.code)) return { ...ticket, arrived: false, expiresAt: EXPIRED };
  const { handling } = ruleOf(error.code);
  // The points were spent meanwhile: the file that has arrived stays, and goes on when there are more.
  return handling === 'retry' || handling === 'wait' || isTooFewPoints(error.code) ? ticket : null;
}

const ruleOf = (code: string) => ERRORS[isErrorCode(code) ? code : 'internal'];

/** Errors that require another file. */
const OF_THE_FILE = [
  'fileEmpty',
  'upload_up_to_limit',
  'invalidExtension',
  'filmAsPicture',
  'pictureAsFilm',
  'uploadTypeMismatch',
  'notAPicture',
  'pictureDamaged',
  'pictureTooLarge',
  'pictureTooSmall',
  'notAFilm',
  'filmDamaged',
  'filmWithoutPictures',
  'filmTooLarge',
  'filmTooSmall',
  'filmTooLong',
  'readerError',
];

function failureOf(error: unknown, step: Step): Failure {
  if (error instanceof PutError) {
    return {
      title: error.reason && errorText(error.code),
      message: error.reason?.message ?? errorText(error.code),
      next: error.reason ? nextStep(error.reason.code) : OF_THE_FILE.includes(error.code) ? 'choose' : 'retry',
    };
  }
  const title = step === 'checking' ? errorText('statusChangingFailed') : null;
  if (!isCallError(error)) return { title, message: errorText('internal'), next: 'retry' };
  return { title, message: error.message, next: nextStep(error.code) };
}

function nextStep(code: string): Failure['next'] {
  if (OF_THE_FILE.includes(code)) return 'choose';
  if (isTooFewPoints(code)) return 'retry';
  const { handling } = ruleOf(code);
  if (handling === 'correct') return 'adjust';
  return handling === 'retry' || (handling === 'wait' && code !== 'featureNotAvailableYet') ? 'retry' : 'none';
}
