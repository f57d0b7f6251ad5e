// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useScrollSpy } from './use-scroll-spy.ts';

const IDS = ['first', 'second', 'third'];

function Page() {
  const current = useScrollSpy(IDS);
  return (
    <>
      <p>Reading {current}</p>
      {IDS.map((id) => (
        <section key={id} id={id} />
      ))}
    </>
  );
}

/** Simulates the browser's IntersectionObserver: the test decides what is in view. */
class Observer {
  static last: Observer | undefined;
  readonly seen: string[] = [];
  disconnected = false;
  readonly tell: (entries: { target: Element; isIntersecting: boolean }[]) => void;
  readonly options: IntersectionObserverInit;
  constructor(tell: Observer['tell'], options: IntersectionObserverInit) {
    this.tell = tell;
    this.options = options;
    Observer.last = this;
  }
  observe(element: Element) {
    this.seen.push(element.id);
  }
  disconnect() {
    this.disconnected = true;
  }
}
const scroll = (changes: Record<string, boolean>) =>
  act(() =>
    Observer.last?.tell(
      Object.entries(changes).map(([id, isIntersecting]) => ({
        target: document.getElementById(id) as Element,
        isIntersecting,
      })),
    ),
  );
const reading = () => screen.getByText(/^Reading/).textContent;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.location.hash = '';
});

it('the scroll-spy looks above the lowest quarter, at a tenth, a half and all of a section [R-9.scrollspy.1]', () => {
  vi.stubGlobal('IntersectionObserver', Observer);
  const { unmount } = render(<Page />);
  expect(Observer.last?.options).toEqual({ rootMargin: '0px 0px -25%', threshold: [0.1, 0.5, 1] });
  expect(Observer.last?.seen).toEqual(IDS);
  unmount();
  expect(Observer.last?.disconnected).toBe(true);
});

it('names the first section in view, the last one read between two, and the one of the address while it is in view', () => {
  vi.stubGlobal('IntersectionObserver', Observer);
  render(<Page />);
  expect(reading()).toBe('Reading first');
  scroll({ first: true, second: true });
  expect(reading()).toBe('Reading first');
  scroll({ first: false });
  expect(reading()).toBe('Reading second');
  scroll({ second: false });
  expect(reading()).toBe('Reading second');
  window.location.hash = '#third';
  scroll({ second: true, third: true });
  expect(reading()).toBe('Reading third');
  scroll({ third: false });
  expect(reading()).toBe('Reading second');
});
