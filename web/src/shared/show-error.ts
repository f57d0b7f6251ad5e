import { isCallError } from '../api/client.ts';
import { i18next } from '../i18n/index.ts';
import { UI_LIMITS } from '../ui/limits.ts';
import { showToast } from '../ui/toasts.ts';

/**
 * Shows the toast of a failed call: the server's message with its lines for 2 s, or the network error text for 5 s if
 * no response arrived.
 */
export function showError(error: unknown): void {
  if (isCallError(error) && error.status === 0) {
    showToast({ kind: 'error', text: i18next.t('networkError'), ms: UI_LIMITS.networkErrorToastMs });
  } else if (isCallError(error)) {
    showToast({ kind: 'error', text: error.message, lines: error.details });
  } else {
    showToast({ kind: 'error', text: error instanceof Error ? error.message : String(error) });
  }
}
