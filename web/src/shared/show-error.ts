import { isCallError } from '../api/client.ts';
import { i18next } from '../i18n/index.ts';
import { UI_LIMITS } from '../ui/limits.ts';
import { showToast } from '../ui/toasts.ts';
import { isTooFewPoints } from './too-few-points.ts';

/**
 * Shows the toast of a failed call: the server's message with its lines for 2 s, or for 5 s if no
 * response of the server arrived, or if it leads to a page: that of buying points, for too few of them.
 */
export function showError(error: unknown): void {
  if (isCallError(error) && error.status === 0) {
    showToast({ kind: 'error', text: error.message, ms: UI_LIMITS.networkErrorToastMs });
  } else if (isCallError(error) && isTooFewPoints(error.code)) {
    const action = { label: i18next.t('buyPoints'), to: '/addValue' };
    showToast({ kind: 'error', text: error.message, action, ms: UI_LIMITS.toastMs });
  } else if (isCallError(error)) {
    showToast({ kind: 'error', text: error.message, lines: error.details });
  } else {
    showToast({ kind: 'error', text: error instanceof Error ? error.message : String(error) });
  }
}
