import { i18next } from '../i18n/index.ts';
import { type AlertButton, showAlert } from './alerts.ts';

/**
 * Asks for confirmation.
 * @returns true if the user agrees
 */
export async function confirm(question: {
  readonly title: string;
  readonly content: string;
  /** Label of the confirming button. */
  readonly label: string;
  readonly look?: AlertButton['look'];
  readonly cancel?: string;
}): Promise<boolean> {
  const { title, content, label, look = 'danger', cancel = i18next.t('cancel') } = question;
  const { button } = await showAlert({
    title,
    content,
    buttons: [
      { value: 'cancel', label: cancel },
      { value: 'go', label, look },
    ],
  });
  return button === 'go';
}
