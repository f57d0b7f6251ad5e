import { ApiError, containsPersonalInfo } from '@framelift/contract';

let loading: Promise<ReadonlySet<string>> | undefined;

/** Returns about 50,000 passwords of known breaches, in lower case; loaded on first use. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return loading;
}

/** Rejects common passwords in any case, also with appended symbols. @throws ApiError `passwordTooCommon` */
export async function refuseCommon(password: string): Promise<void> {
  const common = await commonPasswords();
  const lower = password.toLowerCase();
  if (common.has(lower) || common.has(lower.replace(/[^\p{L}\p{N}]+$/u, ''))) throw new ApiError('passwordTooCommon');
}

/** Rejects passwords with personal data of their owner. @throws ApiError `passwordNamesOwner` */
export function refusePersonalInfo(password: string, owner: { readonly name: string; readonly email: string }): void {
  if (containsPersonalInfo(password, owner)) throw new ApiError('passwordNamesOwner');
}
