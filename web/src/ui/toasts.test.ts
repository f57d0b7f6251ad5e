import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToastStore } from './toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const states = (store: ToastStore) => store.current().map(({ text, state }) => `${text} ${state}`);

describe('a toast', () => {
  it('[R-2.feedback.3] [R-9.timing.1] [R-9.timing.5] comes in, is shown for 5000 ms, and fades for 0.5 s', () => {
    const store = new ToastStore();
    store.show({ kind: 'success', text: 'saved' });
    expect(states(store)).toEqual(['saved showing']);
    vi.advanceTimersByTime(150);
    expect(states(store)).toEqual(['saved shown']);
    vi.advanceTimersByTime(4999);
    expect(states(store)).toEqual(['saved shown']);
    vi.advanceTimersByTime(1);
    expect(states(store)).toEqual(['saved hide']);
    vi.advanceTimersByTime(500);
    expect(states(store)).toEqual([]);
  });

  it('[R-8.transport.1] of an error is shown for 2000 ms, unless told otherwise', () => {
    const store = new ToastStore();
    store.show({ kind: 'error', text: 'short' });
    vi.advanceTimersByTime(150 + 2000);
    expect(states(store)).toEqual(['short hide']);
    store.show({ kind: 'error', text: 'network', ms: 5000 });
    vi.advanceTimersByTime(150 + 4999);
    expect(states(store)).toEqual(['network shown']);
  });

  it('takes the place of the one of its kind, also of one that is fading', () => {
    const store = new ToastStore();
    store.show({ kind: 'info', text: 'first' });
    store.show({ kind: 'error', text: 'other kind' });
    store.show({ kind: 'info', text: 'second' });
    expect(states(store)).toEqual(['other kind showing', 'second showing']);
    store.hide('info');
    store.show({ kind: 'info', text: 'third' });
    vi.advanceTimersByTime(600);
    expect(states(store)).toContain('third shown');
  });

  it('[R-4.toast.1] [A109] stays while it is hovered or focused, and counts anew afterwards', () => {
    const store = new ToastStore();
    store.show({ kind: 'error', text: 'undo?' });
    vi.advanceTimersByTime(1000);
    store.hold('error');
    vi.advanceTimersByTime(60_000);
    expect(states(store)).toEqual(['undo? shown']);
    store.release('error');
    vi.advanceTimersByTime(1999);
    expect(states(store)).toEqual(['undo? shown']);
    vi.advanceTimersByTime(1);
    expect(states(store)).toEqual(['undo? hide']);
  });

  it('is not held by the pointer that held the one before it', () => {
    const store = new ToastStore();
    store.show({ kind: 'info', text: 'first' });
    store.hold('info');
    store.show({ kind: 'info', text: 'second' });
    vi.advanceTimersByTime(150 + 5000);
    expect(states(store)).toEqual(['second hide']);
  });
});
