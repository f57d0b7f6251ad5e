import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { configQuery } from '../../api/config.ts';
import { Spinner } from '../../ui/Spinner.tsx';

const GalleryPage = lazy(() => import('./GalleryPage.tsx'));

/** The gallery where the app is being worked on. Elsewhere there is no such page, and its code is not even fetched. */
export default function DevGate({ otherwise }: { otherwise: ReactNode }) {
  const { data, isPending } = useQuery(configQuery);
  if (isPending) return <Spinner />;
  return data?.environment === 'dev' ? <GalleryPage /> : otherwise;
}
