import type { Language } from '@framelift/contract';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router';
import { App } from './App.tsx';
import { configQuery } from './api/config.ts';
import { DEFAULT_CONFIG } from './api/default-config.ts';
import { createQueryClient } from './api/query-client.ts';
import { i18next, loadTexts } from './i18n/index.ts';

/** The landing page of visitors as its first render in a browser makes it. */
export async function renderLanding(language: Language): Promise<{ html: string; title: string; description: string }> {
  await loadTexts(language);
  await i18next.loadNamespaces(['landing', 'depth', 'install']);
  const queries = createQueryClient(() => {});
  queries.setQueryData(configQuery.queryKey, DEFAULT_CONFIG);
  const app = <App queries={queries} router={(pages) => <StaticRouter location="/index">{pages}</StaticRouter>} />;
  const { prelude } = await prerender(app, {
    // Everything in its place: what React moves there later would need inline scripts.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      throw error;
    },
  });
  return {
    html: await new Response(prelude).text(),
    title: i18next.t('shell:titles.start'),
    description: i18next.t('install:description'),
  };
}
