import type { PublicConfig } from '@framelift/contract';
import type { CaptchaPurpose } from '../../api/captcha.ts';
import { i18next } from '../../i18n/index.ts';

/** The part of Google's script that is used. */
interface Grecaptcha {
  ready(run: () => void): void;
  execute(siteKey: string, options: { action: string }): Promise<string>;
}
declare global {
  interface Window {
    grecaptcha?: Grecaptcha & { enterprise?: Grecaptcha };
  }
}

let loading: Promise<Grecaptcha> | undefined;

function load(address: string): Promise<Grecaptcha> {
  loading ??= new Promise<Grecaptcha>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onerror = () => {
      // Pressing the button again retries.
      loading = undefined;
      script.remove();
      reject(new Error(`${address} cannot be loaded`));
    };
    script.onload = () => {
      const api = window.grecaptcha?.enterprise ?? window.grecaptcha;
      if (api) api.ready(() => resolve(api));
      else script.onerror?.(new Event('error'));
    };
    document.head.append(script);
  });
  return loading;
}

/**
 * Requests a reCAPTCHA token.
 * @throws Error with a message for users
 */
export async function askRecaptcha(
  { siteKey, script }: NonNullable<PublicConfig['recaptcha']>,
  action: CaptchaPurpose,
): Promise<string> {
  try {
    const api = await load(`${script}?render=${encodeURIComponent(siteKey)}`);
    return await api.execute(siteKey, { action });
  } catch (cause) {
    await i18next.loadNamespaces('captcha');
    throw new Error(i18next.t('captcha:unreachable'), { cause });
  }
}
