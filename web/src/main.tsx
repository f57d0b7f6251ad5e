import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import '@mantine/core/styles.layer.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { configureClient } from './api/client.ts';
import { createQueryClient } from './api/queryClient.ts';
import { endExpiredSession } from './api/session.ts';
import { currentLanguage, i18next, startTexts } from './i18n/index.ts';
import { Pages } from './routes.tsx';
import { cssVariablesResolver, theme } from './theme.ts';
import './theme.css';
import { showError } from './ui/showError.ts';
import { showToast } from './ui/toasts.ts';

const queries = createQueryClient(showError);
configureClient({
  language: currentLanguage,
  onUnauthorized: () => {
    if (endExpiredSession(queries)) showToast({ kind: 'error', text: i18next.t('tokenExpired') });
  },
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

await startTexts();
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'colour-scheme' })}
    >
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          <Pages />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
