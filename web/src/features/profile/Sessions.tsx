import type { Session } from '@framelift/contract';
import { Badge, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop';
import IconDeviceMobile from '@tabler/icons-react/icons/IconDeviceMobile';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { revokeOtherSessions, revokeSession, sessionsQuery } from '../../api/profile.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showAlert } from '../../ui/alerts.ts';
import { showToast } from '../../ui/toasts.ts';
import { browserName } from './browser-name.ts';
import classes from './Profile.module.css';

/** Where the member is logged in, and the way to end it there. */
export function Sessions() {
  const { t } = useTranslation('profile');
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const endOthers = useMutation(revokeOtherSessions(queries));
  const { hash } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const others = sessions.data?.filter(({ current }) => !current) ?? [];

  // The browser itself follows a hash only when the page is loaded.
  useEffect(() => {
    if (hash !== '#sessions') return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [hash]);

  const askAndEndOthers = async () => {
    const { button } = await showAlert({
      title: t('sessions.othersTitle'),
      content: t('sessions.othersText'),
      buttons: [
        { value: 'cancel', label: t('cancel') },
        { value: 'end', label: t('sessions.others'), look: 'danger' },
      ],
    });
    if (button !== 'end') return;
    endOthers.mutate(undefined, {
      onSuccess: ({ ended }) => {
        showToast({ kind: 'success', text: t('sessions.othersDone', { count: ended }) });
        heading.current?.focus();
      },
    });
  };

  return (
    <section className={classes.card} aria-labelledby="sessions">
      <Stack gap="xs">
        <Title order={2} size="h4" id="sessions" ref={heading} tabIndex={-1}>
          {t('sessions.title')}
        </Title>
        {sessions.isPending && (
          <div aria-hidden>
            <Skeleton height="4rem" />
          </div>
        )}
        {sessions.isError && !sessions.data && (
          <Stack role="alert" align="flex-start">
            <Text>{t('sessions.failed')}</Text>
            <Button variant="default" onClick={() => void sessions.refetch()}>
              {t('retry')}
            </Button>
          </Stack>
        )}
        {sessions.data && (
          <ul className={classes.sessions}>
            {sessions.data.map((session) => (
              <Place key={session.id} session={session} onEnded={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
        {others.length > 0 && (
          <Button
            variant="default"
            className={classes.aside ?? ''}
            loading={endOthers.isPending}
            onClick={() => void askAndEndOthers()}
          >
            {t('sessions.others')}
          </Button>
        )}
      </Stack>
    </section>
  );
}

function Place({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { t } = useTranslation('profile');
  const end = useMutation(revokeSession(useQueryClient()));
  const { browser, system, handheld } = browserName(session.userAgent);
  const Icon = handheld ? IconDeviceMobile : IconDeviceDesktop;
  const name =
    browser === null
      ? t('sessions.unknown')
      : system === null
        ? browser
        : t('sessions.browserOnSystem', { browser, system });

  const ask = async () => {
    const { button } = await showAlert({
      title: t('sessions.endTitle'),
      content: t('sessions.endText', { name }),
      buttons: [
        { value: 'cancel', label: t('cancel') },
        { value: 'end', label: t('sessions.end'), look: 'danger' },
      ],
    });
    if (button !== 'end') return;
    end.mutate(session.id, {
      onSuccess: () => {
        showToast({ kind: 'success', text: t('sessions.ended', { name }) });
        onEnded();
      },
    });
  };

  return (
    <li className={classes.session}>
      <Icon aria-hidden />
      <div className={classes.place}>
        <div className={classes.lines}>
          <Text fw={500}>{name}</Text>
          <Text size="sm" c="dimmed">
            <time dateTime={session.lastSeenAt}>
              {t('sessions.lastUse', { time: formatDateTime(session.lastSeenAt, currentLanguage()) })}
            </time>
          </Text>
        </div>
        {session.current ? (
          <Badge variant="light" tt="none">
            {t('sessions.current')}
          </Badge>
        ) : (
          <Button
            variant="default"
            px="md"
            aria-label={t('sessions.endOf', { name })}
            loading={end.isPending}
            onClick={() => void ask()}
          >
            {t('sessions.end')}
          </Button>
        )}
      </div>
    </li>
  );
}
