import { isCallError } from '../api/client.ts';
import { UI_LIMITS } from '../ui/limits.ts';
import { showToast } from '../ui/toasts.ts';

/**
 * Shows the toast of a failed call: the server's message with its lines for 2 s, or for 5 s if no
 * response of the server arrived.
 */
export function showError(error: unknown): void {
  if (isCallError(error) && error.status === 0) {
    showToast({ kind: 'error', text: error.message, ms: UI_LIMITS.networkErrorToastMs });
  } else if (isCallError(error)) {
    showToast({ kind: 'error', text: error.message, lines: error.details });
  } else {
    showToast({ kind: 'error', text: error instanceof Error ? error.message : String(error) });
  }
}
