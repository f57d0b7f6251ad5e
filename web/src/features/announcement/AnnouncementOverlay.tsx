import type { Announcement } from '@framelift/contract';
import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useSession } from '../../api/session.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import classes from './AnnouncementOverlay.module.css';
import { isDismissed, rememberDismissed } from './dismissed.ts';

/** Delay in milliseconds: a start consists of several redirects, each of which would close a dialog opened earlier. */
const SETTLED_MS = 300;

/** The administrators' announcement, shown over any page. */
export function AnnouncementOverlay({ announcement }: { announcement: Announcement }) {
  const { t } = useTranslation('announcement');
  const { key } = useLocation();
  const { kind } = useSession();
  const [phase, setPhase] = useState<'waiting' | 'open' | 'closed'>(() =>
    isDismissed(announcement) ? 'closed' : 'waiting',
  );
  const [never, setNever] = useState(false);
  const waits = phase === 'waiting' && kind !== 'loading';

  // Every navigation restarts the delay.
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setPhase('open'), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [waits, key]);

  const close = () => {
    rememberDismissed(announcement, never);
    setPhase('closed');
  };
  return (
    <Modal opened={phase === 'open'} onClose={close} title={t('title')}>
      <Stack gap="lg">
        <Text className={classes.text}>{announcement.text[currentLanguage()]}</Text>
        <Checkbox
          label={t('never')}
          checked={never}
          onChange={(event) => setNever(event.currentTarget.checked)}
          className={classes.never ?? ''}
        />
        <Button onClick={close} data-autofocus>
          {t('close')}
        </Button>
      </Stack>
    </Modal>
  );
}
