import { lazy, Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { usePendingGuides } from './guides.ts';
import { loadTour } from './startTutorial.ts';

const Tour = lazy(loadTour);

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
