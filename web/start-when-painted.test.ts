// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const SCRIPT = readFileSync(`${import.meta.dirname}/start-when-painted.js`, 'utf8');
const page = document.documentElement;
let readyState: DocumentReadyState = 'loading';
let paint = () => {};

const loaded = () => {
  readyState = 'interactive';
  document.dispatchEvent(new Event('DOMContentLoaded'));
};
const started = () => document.head.querySelectorAll('meta[name="app"]').length;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, 'readyState', 'get').mockImplementation(() => readyState);
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(seen: () => void) {
        paint = seen;
      }
      observe() {}
    },
  );
  readyState = 'loading';
  page.removeAttribute('data-session');
  document.head.innerHTML = '<template id="later"><meta name="app"></template>';
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const run = () => new Function(SCRIPT)();

it('the app is loaded once the landing page is painted, and once', () => {
  run();
  loaded();
  expect(started()).toBe(0);
  paint();
  paint();
  vi.advanceTimersByTime(5000);
  expect(started()).toBe(1);
});

it('a landing page that is painted before all of it has come is not taken over until then', () => {
  run();
  paint();
  vi.advanceTimersByTime(5000);
  expect(started()).toBe(0);
  loaded();
  expect(started()).toBe(1);
});

it('the app is loaded without a painted page in a tab that is not shown, and where the page is hidden', () => {
  run();
  loaded();
  vi.advanceTimersByTime(3000);
  expect(started()).toBe(1);

  document.head.innerHTML = '<template id="later"><meta name="app"></template>';
  page.setAttribute('data-session', '');
  readyState = 'loading';
  run();
  expect(started()).toBe(0);
  loaded();
  expect(started()).toBe(1);
});
