import { ApiError, type api, type InputOf, type User } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type Actor, signedIn } from '../actor.ts';
import { hashSecret } from '../secrets.ts';
import { findUserForUpdate, insertPinCodes, redeemPinCode, updateUser } from './account.sql.ts';
import { getUser, isVipNow } from './user.ts';

const DAY_MS = 86_400_000;
/** Crockford's digits: none looks like another. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 16 digits of 5 bits each: nobody guesses one of them. */
const LENGTH = 16;

/**
 * Makes the caller a VIP by a serial code, which works once, whoever comes first. Days are added to those that are left.
 * @throws ApiError `pinCodeIncorrect` for a code that is unknown, used or too old; `alreadyVip` for a VIP without an end
 */
export async function setVip(context: Context, actor: Actor, input: { readonly pin_code: string }): Promise<User> {
  const { userId } = signedIn(actor);
  await context.db.transaction(async (tx) => {
    const now = context.clock.now();
    const user = await findUserForUpdate(tx, userId);
    if (!user) throw new ApiError('tokenExpired');
    const { vipAt, vipUntil } = user;
    const isVip = isVipNow(user, now);
    if (isVip && vipUntil === null) throw new ApiError('alreadyVip');
    const code = await redeemPinCode(tx, hashSecret(asPrinted(input.pin_code)), userId, now);
    if (!code) throw new ApiError('pinCodeIncorrect');
    const from = isVip && vipUntil ? vipUntil : now;
    await updateUser(tx, userId, {
      vipAt: isVip ? vipAt : now,
      vipUntil: code.days === null ? null : new Date(from.getTime() + code.days * DAY_MS),
    });
  });
  return getUser(context, actor);
}

/** Makes a batch of serial codes. */
export async function createPinCodes(
  context: Context,
  actor: Actor,
  input: InputOf<typeof api.createPinCodes>,
): Promise<{ codes: string[] }> {
  const { count, note, days } = input;
  const codes = Array.from({ length: count }, () => newCode(context.ids.secret()));
  const expiresAt = input.expires_at === null ? null : new Date(input.expires_at);
  const createdAt = context.clock.now();
  await insertPinCodes(
    context.db,
    codes.map((code) => ({ codeHash: hashSecret(asPrinted(code)), note, days, expiresAt, createdAt })),
  );
  context.log.info({ by: signedIn(actor).userId, count, days }, 'Serial codes were made');
  return { codes };
}

function newCode(secret: string): string {
  const bytes = Buffer.from(secret, 'base64url');
  // 256 is a multiple of 32: each digit is as likely as any other.
  const digits = Array.from(bytes.subarray(0, LENGTH), (byte) => DIGITS[byte % 32]).join('');
  return digits.replace(/(.{4})(?=.)/g, '$1-');
}

/** As people type it: any case, with or without dashes, O for 0, I or L for 1. */
function asPrinted(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}
