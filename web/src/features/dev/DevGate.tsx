import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { configQuery } from '../../api/config.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { Spinner } from '../../ui/Spinner.tsx';

const GalleryPage = lazyNamed(() => import('./GalleryPage.tsx'), 'GalleryPage');

/** Shows the component gallery in development environments. Elsewhere it does not exist and its code is not loaded. */
export function DevGate({ otherwise }: { otherwise: ReactNode }) {
  const { data, isPending } = useQuery(configQuery);
  if (isPending) return <Spinner />;
  return data?.environment === 'dev' ? <GalleryPage /> : otherwise;
}
