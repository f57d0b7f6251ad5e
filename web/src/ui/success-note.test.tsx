// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { showPage, withoutMotion } from '../testing/page.tsx';
import { AlertHost } from './AlertHost.tsx';
import { showSuccess, successNote } from './success-note.ts';

/** Number of drawing operations on the mocked canvases, which this environment lacks. */
let drawn = 0;
const pen = new Proxy({} as Record<string, unknown>, {
  get: (_, name) => () => {
    if (name === 'fill') drawn += 1;
  },
  set: () => true,
});

beforeAll(() => import('./SuccessNote.tsx'));
beforeEach(() => {
  drawn = 0;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => pen as never);
});
afterEach(() => {
  act(() => successNote.hide());
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function show() {
  const view = await showPage(<AlertHost />);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'requestAnimationFrame'] });
  await act(async () => {
    showSuccess({ title: 'You are a VIP now', text: 'Videos are open to you.' });
    await vi.dynamicImportSettled();
  });
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  return { ...view, pass };
}

const told = () => screen.queryAllByRole('alert').some(({ textContent }) => textContent?.includes('You are a VIP now'));

it('celebrates with fireworks, told to readers at once [R-2.success-note.1]', async () => {
  const { container, pass } = await show();
  expect(told()).toBe(true);
  expect(container.querySelector('canvas')?.getAttribute('aria-hidden')).toBe('true');
  pass(1000);
  expect(drawn).toBeGreaterThan(100);
});

it('is there for 5 s, fading by one step in 50 ms at the end, and goes by itself [R-2.success-note.2] [R-9.timing.4]', async () => {
  const { container, pass } = await show();
  const opacity = () => container.querySelector('canvas')?.parentElement?.style.opacity;
  pass(4000);
  expect(opacity()).toBe('1');
  const steps: unknown[] = [];
  for (let step = 0; step < 3; step += 1) {
    pass(50);
    steps.push(opacity());
  }
  expect(steps).toEqual(['0.95', '0.9', '0.85']);
  pass(800);
  expect(opacity()).toBe('0.05');
  expect(told()).toBe(true);
  pass(50);
  expect(told()).toBe(false);
});

it.each([
  ['Escape', () => fireEvent.keyDown(document, { key: 'Escape' })],
  ['a press on it', () => fireEvent.click(screen.getByText('Videos are open to you.'))],
  ['its button', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
])('closes by %s', async (_, close) => {
  await show();
  expect(told()).toBe(true);
  close();
  expect(told()).toBe(false);
});

it('shows no fireworks to who wants less motion, but the same note', async () => {
  withoutMotion();
  const { container } = await show();
  expect(told()).toBe(true);
  expect(container.querySelector('canvas')).toBeNull();
});
