import { Anchor } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyNamed } from '../../ui/lazy-named.ts';

const PolicyDialog = lazyNamed(() => import('./PolicyDialog.tsx'), 'PolicyDialog');

/** Link to the privacy policy and disclaimer next to the consent checkbox of the registration. */
export function PolicyLink() {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        ta="start"
        size="sm"
        mih="var(--target)"
        onClick={() => {
          setWanted(true);
          setOpened(true);
        }}
      >
        {t('policy')}
      </Anchor>
      <Suspense fallback={null}>{wanted && <PolicyDialog opened={opened} onClose={() => setOpened(false)} />}</Suspense>
    </>
  );
}
