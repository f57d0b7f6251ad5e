// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { showPage } from '../testing/page.tsx';
import { InfiniteList, type PagedQuery } from './InfiniteList.tsx';

let change: (next: Partial<PagedQuery<string>>) => void;
const fetchNextPage = vi.fn();

function List() {
  const [query, setQuery] = useState<PagedQuery<string>>({
    data: { pages: [{ data: ['one'] }, { data: ['two'] }] },
    isError: false,
    error: null,
    isFetching: false,
    isFetchingNextPage: false,
    hasNextPage: true,
    refetch: () => {},
    fetchNextPage,
  });
  change = (next) => act(() => setQuery({ ...query, ...next }));
  return (
    <>
      <InfiniteList<string, HTMLUListElement> query={query} loading="loading" empty="empty" goesOn>
        {(rows, place) => (
          <ul ref={place}>
            {rows.map((row) => (
              <li key={row} tabIndex={-1}>
                {row}
              </li>
            ))}
          </ul>
        )}
      </InfiniteList>
      <button type="button">elsewhere</button>
    </>
  );
}

const rows = (...data: string[]) => ({ data: { pages: [{ data }] } });
const button = (name: string) => screen.getByRole('button', { name });

describe('a list of pages', () => {
  it('moves the focus to what "Show more" brought, but not to what comes after it has failed', async () => {
    await showPage(<List />);
    act(() => button('Show more').click());
    change({ isFetching: true, isFetchingNextPage: true });
    change({ isFetching: false, isFetchingNextPage: false, isError: true });
    act(() => button('elsewhere').focus());
    change({ isError: false, ...rows('new', 'one', 'two') });
    expect(document.activeElement).toBe(button('elsewhere'));
    act(() => button('Show more').click());
    change({ isFetching: true, isFetchingNextPage: true });
    change({ isFetching: false, isFetchingNextPage: false, ...rows('new', 'one', 'two', 'three') });
    expect(document.activeElement?.textContent).toBe('three');
  });

  it('is not empty while more follow what is gone, also if they cannot be loaded at once', async () => {
    await showPage(<List />);
    change({ isFetching: true, ...rows() });
    expect([screen.queryByText('loading'), screen.queryByText('empty')]).toEqual([expect.anything(), null]);
    change({ isFetching: false, isError: true, ...rows() });
    expect(button('Show more')).toBeTruthy();
    change({ isFetching: false, hasNextPage: false, ...rows() });
    expect(screen.getByText('empty')).toBeTruthy();
  });

  it('goes on by itself near its end, but not while "Show more" has the focus, which it would take away', async () => {
    let see: (isIntersecting: boolean) => void = () => {};
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
          see = (isIntersecting) => seen([{ isIntersecting }]);
        }
        observe() {}
        disconnect() {}
      },
    );
    fetchNextPage.mockClear();
    await showPage(<List />);
    act(() => button('Show more').focus());
    see(true);
    expect(fetchNextPage).not.toHaveBeenCalled();
    act(() => button('elsewhere').focus());
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
    act(() => button('Show more').focus());
    see(false);
    act(() => button('elsewhere').focus());
    expect(fetchNextPage).toHaveBeenCalledTimes(1);
    see(true);
    expect(fetchNextPage).toHaveBeenCalledTimes(2);
  });
});
