import type { PublicConfig } from '@framelift/contract';
import type { CaptchaPurpose } from '../../api/captcha.ts';

const loadAltcha = () => import('./altcha.ts');

/** Proves to the server that a person sends a form. Its code comes when it is first needed. */
export async function prove(purpose: CaptchaPurpose, { recaptcha }: PublicConfig): Promise<string> {
  if (recaptcha) {
    const { askRecaptcha } = await import('./recaptcha.ts');
    return askRecaptcha(recaptcha, purpose);
  }
  const { solveAltcha } = await loadAltcha();
  return solveAltcha(purpose);
}

/** Fetches the code of ALTCHA ahead. Google's script is only loaded when a form is sent. */
export function preload({ captcha }: PublicConfig): void {
  if (captcha === 'altcha') loadAltcha().catch(() => {});
}
