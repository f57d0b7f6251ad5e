import { isLiteral } from '@framelift/contract';
import '@mantine/core/styles.layer.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { App } from './App.tsx';
import { configQuery } from './api/config.ts';
import { hasSession } from './api/session.ts';
import { currentLanguage, ignoreBrowserLanguages, startTexts } from './i18n/index.ts';
import { preloadPage } from './routes.tsx';
import { keepEarlyFiles } from './shared/early-files.ts';
import { startQueries } from './start.ts';
import { watchInstallPrompt } from './ui/install-prompt.ts';
import { loadCode } from './ui/load-code.ts';
import './theme.css';
import { tolerateTranslation } from './tolerate-translation.ts';
import { waitForStyles } from './ui/wait-for-styles.ts';

const queries = startQueries();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
/** Language of the prerendered landing page (`prerender.plugin.ts`); undefined on every other page. */
const { prerendered } = root.dataset;
const takesOver = () => prerendered === currentLanguage() && !hasSession();

document.querySelector('.too-old')?.remove();
tolerateTranslation();
watchInstallPrompt();
keepEarlyFiles();
const pageCode = preloadPage(window.location.pathname);
void queries.prefetchQuery(configQuery);
// No top-level await: lazy chunks that import from this one would wait for it.
void Promise.all([startTexts(), waitForStyles()]).then(async () => {
  const app = <App queries={queries} router={(pages) => <BrowserRouter>{pages}</BrowserRouter>} />;
  // The server has chosen the language of a prerendered page by the preset. And its components had the configuration:
  // without it React finds a difference and renders anew.
  if (prerendered !== undefined) await followPreset();
  if (takesOver()) {
    // React drops what is pressed in a part whose code has not come.
    await pageCode;
    // Where a visitor who asks for the root is led.
    if (window.location.pathname === '/') history.replaceState(null, '', `/index${location.search}${location.hash}`);
    delete root.dataset['prerendered'];
    // As a transition: in slices, between which the browser answers input.
    startTransition(() => {
      hydrateRoot(root, app);
    });
  } else {
    delete root.dataset['prerendered'];
    root.replaceChildren();
    createRoot(root).render(app);
  }
  if (prerendered === undefined) void followPreset();
  void loadCode(() => import('./app-worker.ts')).then(({ startAppWorker }) => startAppWorker());
});

/** With the preset `literal` a first visit is Chinese. Only a prerendered page waits for the answer: few need it. */
async function followPreset(): Promise<void> {
  const config = await queries.ensureQueryData(configQuery).catch(() => null);
  if (config && isLiteral(config.features)) await ignoreBrowserLanguages();
}
