import { Anchor, Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

const ForgotDialog = lazyNamed(() => import('./ForgotDialog.tsx'), 'ForgotDialog');

/** Opens the dialog that mails a link to choose another password with: a link below a form, or a button of its own. */
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
      {/* A dialog of its own for each opening: it begins with the address that stands in the form now. */}
      <Suspense fallback={null}>
        {count > 0 && <ForgotDialog key={count} opened={opened} email={email} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  );
}
