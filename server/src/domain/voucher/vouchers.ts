import { ApiError, type api, type InputOf, type OutputOf, type PinCodeBatch } from '@framelift/contract';
import { signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { csvHead, csvLine } from '../../platform/csv.ts';
import type { Queries } from '../../platform/db/open.ts';
import { ADMIN_PAGE_SIZE, type Page, paged } from '../../platform/paging.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { type BatchView, findBatchForUpdate, insertBatch, listBatchRows, setBatchRevoked } from './voucher.sql.ts';

/** Crockford's base 32: no two digits look alike. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 80 bits: codes cannot be guessed. */
const LENGTH = 16;

/** Creates a batch of serial codes. Only hashes are stored, so the codes are returned only here. */
export async function createVouchers(
  context: Context,
  auditActor: AuditActor,
  input: InputOf<typeof api.createPinCodes>,
): Promise<OutputOf<typeof api.createPinCodes>> {
  const { db, ids, clock } = context;
  const { count, name, days, expires_at } = input;
  const codes = Array.from({ length: count }, () => newCode(ids.secret()));
  const id = ids.uuid();
  const createdBy = signedIn(auditActor.actor).userId;
  const expiresAt = expires_at === null ? null : new Date(expires_at);
  await db.transaction(async (tx) => {
    const hashes = codes.map((code) => hashSecret(asPrinted(code)));
    await insertBatch(tx, { id, name, days, createdBy, createdAt: clock.now(), expiresAt }, hashes);
    await writeAudit(context, tx, auditActor, {
      action: 'pinCodes.made',
      target: name,
      after: { id, count, days, expires_at },
    });
  });
  context.log.info({ by: createdBy, count, days }, 'Serial codes were made');
  const batch = await getBatch(db, id);
  const fields = [batch.name, batch.days, batch.expiresAt];
  const csv =
    csvHead(['code', 'batch', 'days', 'expires_at']) + codes.map((code) => csvLine([code, ...fields])).join('');
  return { batch, codes, csv };
}

/** Returns a page of all batches, newest first. @throws ApiError `invalidInput` for an invalid cursor */
export function listVoucherBatches(
  context: Context,
  input: InputOf<typeof api.pinCodeBatches>,
): Promise<Page<PinCodeBatch>> {
  return paged({
    cursor: input.page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listBatchRows(context.db, request),
    positionOf: ({ batch }) => batch,
    present: (views) => views.map(presentBatch),
  });
}

/** Revokes the unused codes of a batch, or restores them. @throws ApiError `batchNotFound` */
export async function setVouchersRevoked(
  context: Context,
  auditActor: AuditActor,
  { id, revoked }: InputOf<typeof api.setPinCodesRevoked>,
): Promise<PinCodeBatch> {
  await context.db.transaction(async (tx) => {
    const batch = await findBatchForUpdate(tx, id);
    if (!batch) throw new ApiError('batchNotFound');
    const before = { id, revoked: batch.revokedAt !== null };
    if (before.revoked === revoked) return;
    await setBatchRevoked(tx, id, revoked ? context.clock.now() : null);
    await writeAudit(context, tx, auditActor, {
      action: 'pinCodes.revoked',
      target: batch.name,
      before,
      after: { id, revoked },
    });
  });
  return getBatch(context.db, id);
}

async function getBatch(db: Queries, id: string): Promise<PinCodeBatch> {
  const [view] = await listBatchRows(db, { id });
  if (!view) throw new ApiError('batchNotFound');
  return presentBatch(view);
}

function presentBatch({ batch, count, redeemed, madeBy }: BatchView): PinCodeBatch {
  return {
    id: batch.id,
    name: batch.name,
    days: batch.days,
    createdAt: batch.createdAt.toISOString(),
    expiresAt: batch.expiresAt?.toISOString() ?? null,
    revokedAt: batch.revokedAt?.toISOString() ?? null,
    madeBy,
    count,
    redeemed,
  };
}

function newCode(secret: string): string {
  const bytes = Buffer.from(secret, 'base64url');
  // 256 is a multiple of 32: all digits are equally likely.
  const digits = Array.from(bytes.subarray(0, LENGTH), (byte) => DIGITS[byte % 32]).join('');
  return digits.replace(/(.{4})(?=.)/g, '$1-');
}

/** Normalizes a code for hashing: any case, with or without dashes, O for 0, I or L for 1. */
export function asPrinted(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}
