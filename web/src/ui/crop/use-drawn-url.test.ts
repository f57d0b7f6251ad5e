// @vitest-environment happy-dom
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useDrawnUrl } from './use-drawn-url.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('a drawing that is asked for again is drawn again, and one whose URL was revoked is never shown', async () => {
  const revoked = new Set<string>();
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void revoked.add(url));
  let count = 0;
  const shown: (string | null)[] = [];
  const { rerender, unmount } = renderHook(
    ({ name }: { name: string | null }) => {
      const url = useDrawnUrl(name, async () => `blob:${name}-${++count}`);
      shown.push(url);
      if (url !== null) expect(revoked).not.toContain(url);
    },
    { initialProps: { name: 'left' as string | null } },
  );
  await waitFor(() => expect(shown.at(-1)).toBe('blob:left-1'));
  rerender({ name: null });
  expect(shown.at(-1)).toBeNull();
  rerender({ name: 'left' });
  expect(shown.at(-1)).toBeNull();
  await waitFor(() => expect(shown.at(-1)).toBe('blob:left-2'));
  // One that is no longer wanted when it is ready is not kept.
  rerender({ name: 'right' });
  rerender({ name: 'left' });
  await waitFor(() => expect(shown.at(-1)).toBe('blob:left-4'));
  expect([...revoked]).toEqual(['blob:left-1', 'blob:left-2', 'blob:right-3']);
  unmount();
  expect(revoked).toContain('blob:left-4');
});
