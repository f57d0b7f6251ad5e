import { ApiError, type User } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { DAY_MS } from '../../platform/time.ts';
import { findUserForUpdate, updateUser } from '../user/user.sql.ts';
import { getUser, isVipNow } from '../user/user.ts';
import { hasRedeemed, redeemCode } from './voucher.sql.ts';
import { asPrinted } from './vouchers.ts';

/**
 * Makes the caller a VIP with a serial code, which works once. Its days are added to the remaining ones. A repeated call of
 * the member who redeemed it succeeds, and adds nothing, as long as they are a VIP: the answer may have been lost [A73].
 * @throws ApiError `pinCodeIncorrect` for a code that is unknown, used or expired; `alreadyVip` for a VIP without
 *   expiry
 */
export async function redeemVoucher(
  context: Context,
  actor: Actor,
  input: { readonly pin_code: string },
): Promise<User> {
  const { userId } = signedIn(actor);
  await context.db.transaction(async (tx) => {
    const now = context.clock.now();
    const user = await findUserForUpdate(tx, userId);
    if (!user) throw new ApiError('tokenExpired');
    const { vipAt, vipUntil } = user;
    const isVip = isVipNow(user, now);
    const hash = hashSecret(asPrinted(input.pin_code));
    if (isVip && (await hasRedeemed(tx, hash, userId))) return;
    if (isVip && vipUntil === null) throw new ApiError('alreadyVip');
    const code = await redeemCode(tx, hash, userId, now);
    if (!code) throw new ApiError('pinCodeIncorrect');
    const from = isVip && vipUntil ? vipUntil : now;
    await updateUser(tx, userId, {
      vipAt: isVip ? vipAt : now,
      vipUntil: code.days === null ? null : new Date(from.getTime() + code.days * DAY_MS),
    });
  });
  return getUser(context, actor);
}
