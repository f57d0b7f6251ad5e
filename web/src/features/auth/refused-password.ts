import type { CallError } from '@framelift/contract';
import { isCallError } from '../../api/client.ts';

const CODES = ['passwordTooCommon', 'passwordNamesOwner', 'passwordTooWeak'];

/** True if the server refused the password; some rules can only be checked by the server. */
export function isRefusedPassword(error: unknown): error is CallError {
  return isCallError(error) && CODES.includes(error.code);
}
