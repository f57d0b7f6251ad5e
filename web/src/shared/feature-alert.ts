import { i18next } from '../i18n/index.ts';
import { showAlert } from '../ui/alerts.ts';
import { UI_LIMITS } from '../ui/limits.ts';

/** Shows the alert for a feature that is not available yet. */
export function showFeatureAlert(): void {
  void showAlert({
    kind: 'info',
    title: i18next.t('featureUnderDevelopment'),
    content: i18next.t('featureNotAvailableYet'),
    ms: UI_LIMITS.alertMs,
  });
}
