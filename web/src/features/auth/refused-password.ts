import type { CallError } from '@framelift/contract';
import { isCallError } from '../../api/client.ts';

const CODES = ['passwordTooCommon', 'passwordNamesOwner', 'passwordTooWeak'];

/** The server wants another password, for a reason that only it may know. */
export function isRefusedPassword(error: unknown): error is CallError {
  return isCallError(error) && CODES.includes(error.code);
}
