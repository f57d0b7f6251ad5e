import { ApiError, containsPersonalInfo } from '@framelift/contract';

let loading: Promise<ReadonlySet<string>> | undefined;

/** Some fifty thousand passwords of known breaches, in lower case. They are unpacked when the first one is chosen. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return loading;
}

/**
 * Refuses a new password that everybody tries first, whatever its letters' case, also with signs put behind it.
 * @throws ApiError `passwordTooCommon`
 */
export async function refuseCommon(password: string): Promise<void> {
  const common = await commonPasswords();
  const lower = password.toLowerCase();
  if (common.has(lower) || common.has(lower.replace(/[^\p{L}\p{N}]+$/u, ''))) throw new ApiError('passwordTooCommon');
}

/** @throws ApiError `passwordNamesOwner` */
export function refuseOwnWords(password: string, owner: { readonly name: string; readonly email: string }): void {
  if (containsPersonalInfo(password, owner)) throw new ApiError('passwordNamesOwner');
}
