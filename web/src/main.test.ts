// @vitest-environment happy-dom
import { featurePreset } from '@framelift/contract';
import { waitFor } from '@testing-library/react';
import type { Root } from 'react-dom/client';
import { prerender } from 'react-dom/static';
import { expect, it, vi } from 'vitest';
import { renderLanding } from './prerender.tsx';
import { aConfig } from './testing/config.ts';
import { answerNamed, refusal, success } from './testing/page.tsx';

it('with the preset literal the app takes the prerendered page over in Chinese, whatever the browser speaks', async () => {
  // React warns of two renderers in one process, which browsers do not have.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { html } = await renderLanding('zh');
  // React leaves the contexts of the last page that it rendered to the next one.
  await prerender(null);
  document.body.innerHTML = `<div id="root" data-prerendered="zh">${html}</div>`;
  history.replaceState(null, '', '/');
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en']);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  answerNamed({
    config: () => success({ ...aConfig, features: featurePreset('literal') }),
    user: () => refusal(401, 'tokenExpired', 'token expired'),
  });
  const painted = document.querySelector('h1');
  const toLight = document.querySelector('.mantine-light-hidden')?.closest('button');
  toLight?.setAttribute('data-pressed', '');
  // The app begins with nothing in its memory, as in a browser. It has no end, but this page has: see below.
  vi.resetModules();
  const roots: Root[] = [];
  vi.doMock('react-dom/client', async (original) => {
    const client = await original<typeof import('react-dom/client')>();
    const hydrateRoot = (...args: Parameters<typeof client.hydrateRoot>) => {
      const root = client.hydrateRoot(...args);
      roots.push(root);
      return root;
    };
    return { ...client, hydrateRoot };
  });
  await import('./main.tsx');
  const page = document.documentElement;
  await waitFor(() => expect(page.getAttribute('data-mantine-color-scheme')).toBe('light'), { timeout: 30_000 });
  expect(page.lang).toBe('zh-Hant-TW');
  expect(location.pathname).toBe('/index');
  expect(painted?.isConnected).toBe(true);
  // What it still loads would be drawn when the window is gone.
  expect(roots).toHaveLength(1);
  roots[0]?.unmount();
});
