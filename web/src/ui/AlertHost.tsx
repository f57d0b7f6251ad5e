import { lazy, Suspense, useSyncExternalStore } from 'react';
import { alerts } from './alerts.ts';
import { successNote } from './successNote.ts';

const AlertModal = lazy(() => import('./AlertModal.tsx'));
const SuccessNote = lazy(() => import('./SuccessNote.tsx'));

/** Where the alert modal and the success note appear. Their code comes with the first of each. */
export function AlertHost() {
  const alert = useSyncExternalStore(alerts.subscribe, alerts.current);
  const success = useSyncExternalStore(successNote.subscribe, successNote.current);
  return (
    <>
      <Suspense fallback={null}>{alert && <AlertModal key={alert.id} {...alert} />}</Suspense>
      <Suspense fallback={null}>{success && <SuccessNote key={success.id} {...success} />}</Suspense>
    </>
  );
}
