import type { ClientErrorCode } from '@framelift/contract';
import type { QueryClient } from '@tanstack/react-query';
import { configureCaptcha } from './api/captcha.ts';
import { configureClient, isCallError, preloadClient } from './api/client.ts';
import { configQuery } from './api/config.ts';
import { createQueryClient } from './api/query-client.ts';
import { endExpiredSession } from './api/session.ts';
import { currentLanguage, i18next } from './i18n/index.ts';
import { preload, prove } from './shared/captcha/captcha.ts';
import { showError } from './shared/show-error.ts';
import { configureNewVersion } from './ui/load-code.ts';
import { showToast } from './ui/toasts.ts';

/** Their texts are in `common`, which is loaded with the first page: without a network no other texts can be. */
const CLIENT_ERRORS = {
  networkError: 'networkError',
  tooLargeForProxy: 'tooLargeForProxy',
  tooManyRequests: 'tooManyRequests',
  serverUnavailable: 'serverUnavailable',
  serverFull: 'serverFull',
  unexpectedAnswer: 'unexpectedAnswer',
} as const satisfies Record<ClientErrorCode, string>;

/** Connects API client, session, captcha and toasts: a failed call shows a toast, and a 401 ends the session once. */
export function startQueries(): QueryClient {
  // Read by zod before its first schema: whether it may compile code. It would try, and browsers would report that our
  // content security policy forbids it.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const queries = createQueryClient((error) => {
    showError(error);
    // A call refused because of maintenance invalidates the configuration, which leads to the maintenance page.
    if (isCallError(error) && error.code === 'maintenance') void queries.invalidateQueries(configQuery);
  });
  configureClient({
    language: currentLanguage,
    messageOf: (code) => i18next.t(CLIENT_ERRORS[code]),
    onUnauthorized: () => {
      if (endExpiredSession(queries)) showToast({ kind: 'error', text: i18next.t('tokenExpired') });
    },
  });
  configureNewVersion(() => ({ text: i18next.t('newVersion'), load: i18next.t('loadNewVersion') }));
  configureCaptcha({ prove, preload }, queries);
  // Preloads the API client while a form is filled in.
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest('form')) void preloadClient();
  });
  return queries;
}
