import { Suspense } from 'react';
import { useSession } from '../../api/session.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { usePendingGuides } from './guides.ts';
import { loadTour } from './start-tutorial.ts';

const Tour = lazyNamed(loadTour, 'Tour');

/** Shows the pending guides of the tutorial on any page. Without any it loads no code. */
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
