// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitForStyles } from './wait-for-styles.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  document.head.replaceChildren();
  vi.useRealTimers();
});

/** A style sheet that is not loaded: the browser of the tests asks no server. */
function aLink(sheet: object | null = null): HTMLLinkElement {
  const link = document.createElement('link');
  Object.defineProperty(link, 'sheet', { value: sheet });
  link.setAttribute('rel', 'stylesheet');
  document.head.append(link);
  return link;
}

function waiting() {
  const ended = vi.fn();
  void waitForStyles().then(ended);
  return ended;
}

it('the app waits for the style sheets that have not come, and for no others', async () => {
  aLink({});
  const [first, second] = [aLink(), aLink()];
  const ended = waiting();
  first.dispatchEvent(new Event('load'));
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).not.toHaveBeenCalled();
  second.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalled();
});

it('the app does not wait where all style sheets have come', async () => {
  aLink({});
  const ended = waiting();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toHaveBeenCalled();
});

it('the app starts without a style sheet that had failed before it began to wait', async () => {
  aLink();
  const ended = waiting();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ended).toHaveBeenCalled();
});
