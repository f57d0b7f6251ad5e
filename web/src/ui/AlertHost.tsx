import { Suspense, useSyncExternalStore } from 'react';
import { alerts } from './alerts.ts';
import { lazyNamed } from './lazy-named.ts';
import { successNote } from './success-note.ts';

const AlertModal = lazyNamed(() => import('./AlertModal.tsx'), 'AlertModal');
const SuccessNote = lazyNamed(() => import('./SuccessNote.tsx'), 'SuccessNote');

/** Renders the alert modal and the success note. Their code is loaded on first use. */
export function AlertHost() {
  const alert = useSyncExternalStore(alerts.subscribe, alerts.current, alerts.current);
  const success = useSyncExternalStore(successNote.subscribe, successNote.current, successNote.current);
  return (
    <>
      <Suspense fallback={null}>{alert && <AlertModal key={alert.id} {...alert} />}</Suspense>
      <Suspense fallback={null}>{success && <SuccessNote key={success.id} {...success} />}</Suspense>
    </>
  );
}
