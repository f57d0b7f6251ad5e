// @vitest-environment happy-dom
import type { EngineStatusAnswer } from '@framelift/contract';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { answerCalls, refusal, showPage, success } from '../../testing/page.tsx';
import AdminPage from './AdminPage.tsx';

const status: EngineStatusAnswer = {
  version: '0.1.0',
  depth: {
    source: 'model:depth-anything-v2-small',
    name: 'Depth Anything V2 Small',
    licence: 'Apache-2.0',
    selfTest: 'ok',
    selfTestMs: 812.4,
  },
  warnings: ['The model does something odd.'],
  versions: { node: '20.19.0', sharp: '0.35.5' },
  queue: { waiting: 12, running: 2 },
};

async function show(): Promise<void> {
  await showPage(<AdminPage />);
  await i18next.loadNamespaces('admin');
}

it('names the depth engine in use, its licence, its self-test, what is odd, and the queue', async () => {
  answerCalls(() => success(status));
  await show();
  expect(await screen.findByText('Depth Anything V2 Small')).toBeTruthy();
  expect(screen.getByText('The self-test passed in 812 ms.')).toBeTruthy();
  expect(screen.getByText('Apache-2.0')).toBeTruthy();
  expect(screen.getByText('The model does something odd.')).toBeTruthy();
  expect(screen.getByText('Waiting').nextElementSibling?.textContent).toBe('12');
  expect(screen.getByText('sharp').nextElementSibling?.textContent).toBe('0.35.5');
  expect(screen.getByText('Node.js').nextElementSibling?.textContent).toBe('20.19.0');
});

it('says so when the self-test failed, and calls the built-in engine by its name', async () => {
  const depth = { ...status.depth, source: 'basic', name: 'basic', selfTest: 'failed' };
  answerCalls(() => success({ ...status, depth, warnings: [] }));
  await show();
  expect(await screen.findByText('Basic depth (built in)')).toBeTruthy();
  expect(screen.getByText('The self-test failed: conversions will not work.')).toBeTruthy();
  expect(screen.queryByText('Warnings')).toBeNull();
});

it('offers another try when the state cannot be loaded', async () => {
  answerCalls(() => refusal(403, 'forbidden', 'This is for administrators.'));
  await show();
  expect(await screen.findByText('This is for administrators.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
