import { Anchor, Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

const ForgotDialog = lazyNamed(() => import('./ForgotDialog.tsx'), 'ForgotDialog');

/** Opens the dialog that sends a link for a new password; shown as a link below a form or as a separate button. */
export function ForgotLink({ email, label, look }: { email: string; label: string; look: 'link' | 'button' }) {
  const [opened, setOpened] = useState(false);
  const [count, setCount] = useState(0);
  useReturnFocus(opened);
  const open = () => {
    setCount(count + 1);
    setOpened(true);
  };
  return (
    <>
      {look === 'button' ? (
        <Button onClick={open}>{label}</Button>
      ) : (
        <Anchor component="button" type="button" size="sm" mih="var(--target)" onClick={open}>
          {label}
        </Anchor>
      )}
      {/* A new dialog for each opening: it starts with the address currently in the form. */}
      <Suspense fallback={null}>
        {count > 0 && <ForgotDialog key={count} opened={opened} email={email} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  );
}
