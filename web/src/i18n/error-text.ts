import { isErrorCode } from '@framelift/contract';
import { i18next } from './index.ts';

/** What an error says. Codes that this version does not know read as `internal`. The area `errors` must be loaded. */
export function errorText(code: string): string {
  return i18next.t(`errors:${isErrorCode(code) ? code : 'internal'}`);
}
