import { lazy, Suspense, useSyncExternalStore } from 'react';
import { alerts } from './alerts.ts';

const AlertModal = lazy(() => import('./AlertModal.tsx'));

/** Where the alert modal appears. Its code comes with the first alert. */
export function AlertHost() {
  const alert = useSyncExternalStore(alerts.subscribe, alerts.current);
  return <Suspense fallback={null}>{alert && <AlertModal key={alert.id} {...alert} />}</Suspense>;
}
