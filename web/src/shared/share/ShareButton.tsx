import type { MediaDetail } from '@framelift/contract';
import { Button } from '@mantine/core';
import IconShare3 from '@tabler/icons-react/icons/IconShare3';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsClosed } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { shareOfQuery } from '../../api/shares.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';

const ShareDialog = lazyNamed(() => import('./ShareDialog.tsx'), 'ShareDialog');

/** Opens the dialog of the public link. Guests have none: what they send is gone after some days. */
export function ShareButton({ media }: { media: Pick<MediaDetail, 'id' | 'name' | 'media_type'> }) {
  const { t } = useTranslation('share');
  const session = useSession();
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const isClosed = useIsClosed('shares');
  if (session.kind !== 'member' || isClosed) return null;
  const open = async () => {
    setBusy(true);
    // The dialog opens in its size: it would jump if it learned only then whether there is a link. It shows a failure.
    await queries.prefetchQuery(shareOfQuery(media.id));
    setBusy(false);
    setWanted(true);
    setOpened(true);
  };
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        leftSection={<IconShare3 size="1.1em" aria-hidden />}
        loading={busy}
        onClick={() => void open()}
      >
        {t('button')}
      </Button>
      <Suspense fallback={null}>
        {wanted && <ShareDialog media={media} opened={opened} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  );
}
