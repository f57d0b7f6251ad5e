import type { Texts } from '@framelift/texts';
import 'altcha/external';
import 'altcha/altcha.css';
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker';
import type { CaptchaPurpose } from '../../api/captcha.ts';
import { call } from '../../api/client.ts';
import { currentLanguage, i18next } from '../../i18n/index.ts';
import classes from './Captcha.module.css';

const MOST_WORKERS = 4;

// A worker in a separate file: the content security policy allows no inline worker.
$altcha.algorithms.set('PBKDF2/SHA-256', () => new Pbkdf2Worker());

/** Live region for screen readers; it must exist before its content is inserted. */
const region = document.createElement('div');
region.setAttribute('role', 'status');
document.body.append(region);

/**
 * Runs ALTCHA's widget next to the button that was pressed (`data-captcha` names its form), without user interaction.
 * @returns the proof
 * @throws CallError if the server provides no challenge; Error with a message for users
 */
export async function solveAltcha(purpose: CaptchaPurpose): Promise<string> {
  await i18next.loadNamespaces('captcha');
  const t = (key: keyof Texts['captcha']) => i18next.t(`captcha:${key}`);
  if (!isSecureContext) throw new Error(t('insecure'));
  const language = currentLanguage();
  $altcha.i18n.set(language, {
    ...$altcha.i18n.get('en'),
    label: t('label'),
    verifying: t('verifying'),
    verified: t('verified'),
    error: t('failed'),
  });

  const widget = document.createElement('altcha-widget');
  widget.className = classes.widget ?? '';
  widget.setAttribute('display', 'floating');
  const mounted = new Promise((resolve) => widget.addEventListener('load', resolve, { once: true }));
  region.append(widget);
  await mounted;
  let refused: unknown;
  try {
    await widget.configure({
      language,
      hideFooter: true,
      hideLogo: true,
      minDuration: 0,
      workers: Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1),
      // Pointer movements are not collected, for privacy.
      humanInteractionSignature: false,
      floatingAnchor: document.querySelector<HTMLElement>(`[data-captcha="${purpose}"]`),
      challenge: '/api/captchaChallenge',
      // The widget expects the bare challenge; our client handles language, envelope and failures.
      fetch: async () => {
        try {
          return Response.json(await call('captchaChallenge', { input: { purpose } }));
        } catch (error) {
          refused = error;
          throw error;
        }
      },
    });
    widget.show();
    const result = await widget.verify();
    if (!result) throw refused ?? new Error(t('failed'));
    return result.payload;
  } finally {
    widget.remove();
  }
}
