import { Button, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useIsClosed } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import classes from './LiveInvite.module.css';

/** Invites visitors to log in for the broadcasts that everyone may watch. */
export function LiveInvite() {
  const { t } = useTranslation('live');
  const { kind } = useSession();
  if (useIsClosed('live')) return null;
  return (
    <section aria-labelledby="live-invite" className={classes.invite}>
      <Title order={2} id="live-invite">
        {t('invite.title')}
      </Title>
      <Text c="dimmed">{t('invite.text')}</Text>
      {kind === 'visitor' ? (
        <Button component={Link} to={`/login?redirect=${encodeURIComponent('/player')}`} variant="default">
          {t('invite.login')}
        </Button>
      ) : (
        <Button component={Link} to="/player" variant="default">
          {t('watch_live')}
        </Button>
      )}
    </section>
  );
}
