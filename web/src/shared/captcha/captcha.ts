import type { PublicConfig } from '@framelift/contract';
import type { CaptchaPurpose } from '../../api/captcha.ts';

const loadAltcha = () => import('./altcha.ts');

/** Obtains the captcha proof for a form. Its code is loaded on first use. */
export async function prove(purpose: CaptchaPurpose, { recaptcha }: PublicConfig): Promise<string> {
  if (recaptcha) {
    const { askRecaptcha } = await import('./recaptcha.ts');
    return askRecaptcha(recaptcha, purpose);
  }
  const { solveAltcha } = await loadAltcha();
  return solveAltcha(purpose);
}

/** Preloads the code of ALTCHA. Google's script is loaded only when a form is submitted. */
export function preload({ captcha }: PublicConfig): void {
  if (captcha === 'altcha') loadAltcha().catch(() => {});
}
