import type { QueryClient } from '@tanstack/react-query';
import { configureCaptcha } from './api/captcha.ts';
import { configureClient, isCallError } from './api/client.ts';
import { configQuery } from './api/config.ts';
import { createQueryClient } from './api/queryClient.ts';
import { endExpiredSession } from './api/session.ts';
import { currentLanguage, i18next } from './i18n/index.ts';
import { preload, prove } from './ui/captcha/captcha.ts';
import { showError } from './ui/showError.ts';
import { showToast } from './ui/toasts.ts';

/**
 * Joins calls, session, captcha and toasts: what a failed call shows, that a 401 ends the session once, and how strangers
 * prove that they are people.
 */
export function startQueries(): QueryClient {
  const queries = createQueryClient((error) => {
    showError(error);
    // Whoever is refused because of maintenance learns of it at once, and is taken to the page about it.
    if (isCallError(error) && error.code === 'maintenance') void queries.invalidateQueries(configQuery);
  });
  configureClient({
    language: currentLanguage,
    onUnauthorized: () => {
      if (endExpiredSession(queries)) showToast({ kind: 'error', text: i18next.t('tokenExpired') });
    },
  });
  configureCaptcha({ prove, preload });
  return queries;
}
