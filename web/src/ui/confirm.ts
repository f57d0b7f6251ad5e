import { i18next } from '../i18n/index.ts';
import { type AlertButton, showAlert } from './alerts.ts';

/** Asks before something is done. @returns true when the person agrees */
export async function confirm(question: {
  readonly title: string;
  readonly content: string;
  /** Label of the button that does it. */
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
