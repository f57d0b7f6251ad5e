import type { QueryClient } from '@tanstack/react-query';
import { configureClient } from './api/client.ts';
import { createQueryClient } from './api/queryClient.ts';
import { endExpiredSession } from './api/session.ts';
import { currentLanguage, i18next } from './i18n/index.ts';
import { showError } from './ui/showError.ts';
import { showToast } from './ui/toasts.ts';

/** Joins calls, session and toasts: what a failed call shows, and that a 401 ends the session once. */
export function startQueries(): QueryClient {
  const queries = createQueryClient(showError);
  configureClient({
    language: currentLanguage,
    onUnauthorized: () => {
      if (endExpiredSession(queries)) showToast({ kind: 'error', text: i18next.t('tokenExpired') });
    },
  });
  return queries;
}
