import { useSearchParams } from 'react-router';
import type { MediaFilter, MediaSort } from '../../api/media.ts';

export const SORTS: readonly MediaSort[] = ['newest', 'oldest', 'name'];
/** The order types as in the specification, and pictures and videos. */
export const KINDS = ['all', 'photos', 'videos', '0', '1', '2'] as const;
export type Kind = (typeof KINDS)[number];

const FILTERS: Readonly<Record<Kind, MediaFilter>> = {
  all: {},
  photos: { media_type: '1' },
  videos: { media_type: '0' },
  '0': { type: '0' },
  '1': { type: '1' },
  '2': { type: '2' },
};

interface Choice {
  readonly search: string;
  readonly sort: MediaSort;
  readonly kind: Kind;
}

/** The search, order and kind in the URL, so that "back" restores them. */
export function useLibraryFilter() {
  const [query, setQuery] = useSearchParams();
  const search = query.get('q') ?? '';
  const sort = SORTS.find((one) => one === query.get('sort')) ?? 'newest';
  const kind = KINDS.find((one) => one === query.get('kind')) ?? 'all';

  const choose = (change: Partial<Choice>) => {
    const next: Choice = { search, sort, kind, ...change };
    const parameters = {
      q: next.search,
      sort: next.sort === 'newest' ? '' : next.sort,
      kind: next.kind === 'all' ? '' : next.kind,
    };
    setQuery(
      (before) => {
        for (const [name, value] of Object.entries(parameters))
          if (value) before.set(name, value);
          else before.delete(name);
        return before;
      },
      // While a search is typed, "back" leads to what was before all of it.
      { replace: change.search !== undefined && search !== '' && change.search !== '', preventScrollReset: true },
    );
  };
  const filter: MediaFilter = {
    ...FILTERS[kind],
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(sort !== 'newest' && { sort }),
  };
  return { search, sort, kind, filter, choose };
}
