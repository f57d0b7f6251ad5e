import { isCallError } from '../api/client.ts';
import { i18next } from '../i18n/index.ts';
import { UI_LIMITS } from '../ui/limits.ts';
import { showToast } from '../ui/toasts.ts';

/**
 * The toast of a failed call: the server's sentence with its lines for 2 s, or the network's text for 5 s when no
 * answer came.
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
