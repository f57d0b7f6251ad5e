import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import '@mantine/core/styles.layer.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { configQuery, isLiteral } from './api/config.ts';
import { ignoreBrowserLanguages, startTexts } from './i18n/index.ts';
import { Pages, preloadPage } from './routes.tsx';
import { startQueries } from './start.ts';
import { cssVariablesResolver, theme } from './theme.ts';
import { watchInstallPrompt } from './ui/install-prompt.ts';
import { loadCode } from './ui/load-code.ts';
import './theme.css';
import { tolerateTranslation } from './tolerate-translation.ts';

const queries = startQueries();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

tolerateTranslation();
watchInstallPrompt();
preloadPage(window.location.pathname);
void queries.prefetchQuery(configQuery);
// No top-level await: lazy chunks that import from this one would wait for it.
void startTexts().then(() => {
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
  void followPreset();
  void loadCode(() => import('./app-worker.ts')).then(({ startAppWorker }) => startAppWorker());
});

/** With the preset `literal` a first visit is Chinese. The page does not wait for the answer, which few need. */
async function followPreset(): Promise<void> {
  const config = await queries.ensureQueryData(configQuery).catch(() => null);
  if (config && (await isLiteral(config.features))) await ignoreBrowserLanguages();
}
