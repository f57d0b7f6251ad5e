import { Text } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { usePaying } from './paying.ts';

/** Says that nothing can be bought, where the operator has switched the store off or has set up no way to pay. */
export function PayingClosed() {
  const paying = usePaying();
  if (paying !== 'closed' && paying !== 'shut') return null;
  return (
    // Its texts may come after the page, which does not wait for them.
    <Suspense fallback={null}>
      <Note text={paying} />
    </Suspense>
  );
}

function Note({ text }: { text: 'closed' | 'shut' }) {
  const { t } = useTranslation('payment');
  return (
    <Text role="status" c="dimmed">
      {t(text)}
    </Text>
  );
}
