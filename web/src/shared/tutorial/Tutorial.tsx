import { Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { usePendingGuides } from './guides.ts';
import { loadTour } from './start-tutorial.ts';

const Tour = lazyNamed(loadTour, 'Tour');

/** Shows what is pending of the tutorial, wherever the member is. Without that it loads nothing. */
export function Tutorial() {
  const session = useSession();
  const userId = session.kind === 'member' ? session.user.id : '';
  const guides = usePendingGuides(userId);
  if (userId === '' || guides.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Tour userId={userId} guides={guides} />
    </Suspense>
  );
}
