import type { Clock } from '../../context.ts';
import type { Db } from '../../platform/db/open.ts';
import type { Log } from '../../platform/log.ts';
import {
  createSunPay,
  SUNPAY_CALLBACK_PATH,
  SUNPAY_RETURN_PATH,
  type SunPay,
} from '../../platform/payments/sunpay/client.ts';
import { openSandboxStore } from '../store.ts';
import { SUNPAY_SANDBOX_PATH, type SunPaySandboxOptions, sunPaySandboxMerchant } from './sandbox.ts';
import { sunPayState } from './state.ts';

/**
 * Returns a client of the local sandbox, and the sandbox itself, to be mounted. `pages` is the origin of this server for
 * browsers, `server` the one at which it reaches itself.
 */
export async function openLocalSunPay(
  parts: { readonly db: Db; readonly clock: Pick<Clock, 'now'>; readonly log: Log },
  origins: { readonly pages: () => string; readonly server: () => string },
): Promise<{ readonly client: SunPay; readonly sandbox: SunPaySandboxOptions }> {
  const { clock, log } = parts;
  const store = openSandboxStore(parts.db, 'sunpay', sunPayState);
  const base = () => origins.pages() + SUNPAY_SANDBOX_PATH;
  const apiBase = () => origins.server() + SUNPAY_SANDBOX_PATH;
  const addresses = () => ({
    base: base(),
    callbackUrl: origins.server() + SUNPAY_CALLBACK_PATH,
    returnUrl: origins.pages() + SUNPAY_RETURN_PATH,
  });
  const client = createSunPay({ merchant: await sunPaySandboxMerchant(store), base, apiBase, clock, log });
  return { client, sandbox: { store, addresses, clock, log } };
}
