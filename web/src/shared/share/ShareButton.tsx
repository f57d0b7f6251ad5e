import type { MediaDetail } from '@framelift/contract';
import { Button } from '@mantine/core';
import IconShare3 from '@tabler/icons-react/icons/IconShare3';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';

const ShareDialog = lazyNamed(() => import('./ShareDialog.tsx'), 'ShareDialog');

/** Opens the dialog of the public link. Guests have none: what they send is gone after some days. */
export function ShareButton({ media }: { media: Pick<MediaDetail, 'id' | 'name' | 'media_type'> }) {
  const { t } = useTranslation('share');
  const session = useSession();
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  if (session.kind !== 'member') return null;
  const open = () => {
    setWanted(true);
    setOpened(true);
  };
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        leftSection={<IconShare3 size="1.1em" aria-hidden />}
        onClick={open}
      >
        {t('button')}
      </Button>
      <Suspense fallback={null}>
        {wanted && <ShareDialog media={media} opened={opened} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  );
}
