// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { createWakeLock } from './wake-lock.ts';

/** The browser's side: what it has granted, and whether the page is shown. */
function fakeBrowser() {
  const granted: { released: boolean; release: () => Promise<void> }[] = [];
  const request = vi.fn(async () => {
    const lock = {
      released: false,
      release: async () => {
        lock.released = true;
      },
    };
    granted.push(lock);
    return lock;
  });
  vi.stubGlobal('navigator', { wakeLock: { request } });
  const show = (visible: boolean) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible ? 'visible' : 'hidden');
    // The browser releases the lock of a page that is hidden.
    if (!visible) for (const lock of granted) lock.released = true;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  show(true);
  return { request, show, isAwake: () => granted.filter(({ released }) => !released).length === 1 };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('keeps the screen on from the start, again after the page was hidden, and not while the frame sleeps', async () => {
  const browser = fakeBrowser();
  const lock = createWakeLock();
  await vi.waitFor(() => expect(browser.isAwake()).toBe(true));
  lock.want(true);
  expect(browser.request).toHaveBeenCalledTimes(1);
  browser.show(false);
  expect(browser.isAwake()).toBe(false);
  browser.show(true);
  await vi.waitFor(() => expect(browser.isAwake()).toBe(true));

  lock.want(false);
  await vi.waitFor(() => expect(browser.isAwake()).toBe(false));
  browser.show(true);
  expect(browser.request).toHaveBeenCalledTimes(2);
  lock.want(true);
  await vi.waitFor(() => expect(browser.isAwake()).toBe(true));
});

it('asks again with the next picture where it was not granted, and does without where there is none', async () => {
  const browser = fakeBrowser();
  browser.request.mockRejectedValueOnce(new Error('The battery is low'));
  const lock = createWakeLock();
  await vi.waitFor(() => expect(browser.request).toHaveBeenCalledTimes(1));
  expect(browser.isAwake()).toBe(false);
  await vi.waitFor(() => {
    lock.want(true);
    expect(browser.isAwake()).toBe(true);
  });
  vi.stubGlobal('navigator', {});
  expect(() => createWakeLock().want(true)).not.toThrow();
});
