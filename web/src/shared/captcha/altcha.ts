import type { Texts } from '@framelift/texts';
import 'altcha/external';
import 'altcha/altcha.css';
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker';
import type { CaptchaPurpose } from '../../api/captcha.ts';
import { call } from '../../api/client.ts';
import { currentLanguage, i18next } from '../../i18n/index.ts';
import classes from './Captcha.module.css';

const MOST_WORKERS = 4;

// A worker in a file of its own: the policy of contents allows no other.
$altcha.algorithms.set('PBKDF2/SHA-256', () => new Pbkdf2Worker());

/** Readers tell what stands in here; it must be there before its words are. */
const region = document.createElement('div');
region.setAttribute('role', 'status');
document.body.append(region);

/**
 * Lets ALTCHA's widget work for a moment beside the button that was pressed (`data-captcha` names its form). There is
 * nothing to do for a person.
 * @returns the proof
 * @throws CallError when the server has no challenge to give; Error with a text for people
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
      // How somebody moves the pointer is nobody's business.
      humanInteractionSignature: false,
      floatingAnchor: document.querySelector<HTMLElement>(`[data-captcha="${purpose}"]`),
      challenge: '/api/captchaChallenge',
      // The widget wants the challenge bare; our calls know language, envelope and failures.
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
