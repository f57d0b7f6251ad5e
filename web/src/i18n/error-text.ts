import { isErrorCode } from '@framelift/contract';
import { i18next } from './index.ts';

/** Returns the text of an error; unknown codes use the text of `internal`. The namespace `errors` must be loaded. */
export function errorText(code: string): string {
  return i18next.t(`errors:${isErrorCode(code) ? code : 'internal'}`);
}
