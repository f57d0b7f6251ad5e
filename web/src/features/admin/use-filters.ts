import { useSearchParams } from 'react-router';

/** The filters of a list, which are kept in the address; an empty one is left out. */
export function useFilters() {
  const [query, setQuery] = useSearchParams();
  const change = (name: string, value: string) =>
    setQuery(
      (now) => {
        if (value === '') now.delete(name);
        else now.set(name, value);
        return now;
      },
      { replace: true },
    );
  return { given: (name: string) => query.get(name) ?? '', change };
}
