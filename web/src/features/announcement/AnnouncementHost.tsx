import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { configQuery } from '../../api/config.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';

const AnnouncementOverlay = lazyNamed(() => import('./AnnouncementOverlay.tsx'), 'AnnouncementOverlay');

/** Shows the announcement if there is one. */
export function AnnouncementHost() {
  const { data } = useQuery(configQuery);
  const announcement = data?.Announcement ? data.announcement : null;
  return (
    <Suspense fallback={null}>
      {announcement && <AnnouncementOverlay key={announcement.id} announcement={announcement} />}
    </Suspense>
  );
}
