import type { Session } from '@framelift/contract';
import { Badge, Button, Skeleton, Text } from '@mantine/core';
import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop';
import IconDeviceMobile from '@tabler/icons-react/icons/IconDeviceMobile';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { revokeOtherSessions, revokeSession, sessionsQuery } from '../../api/profile.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { browserName } from '../../shared/browser-name.ts';
import { confirm } from '../../ui/confirm.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import { showToast } from '../../ui/toasts.ts';
import classes from './Profile.module.css';
import { Section } from './Section.tsx';

/** The member's sessions; each can be ended. */
export function Sessions() {
  const { t } = useTranslation('profile');
  const sessions = useQuery(sessionsQuery);
  const endOthers = useMutation(revokeOtherSessions);
  const { hash } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const others = sessions.data?.filter(({ current }) => !current) ?? [];

  // Browsers scroll to a hash only when the page is loaded.
  useEffect(() => {
    if (hash !== '#sessions') return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [hash]);

  const askAndEndOthers = async () => {
    const texts = { title: t('sessions.othersTitle'), content: t('sessions.othersText') };
    if (!(await confirm({ ...texts, label: t('sessions.others') }))) return;
    endOthers.mutate(undefined, {
      onSuccess: ({ ended }) => {
        showToast({ kind: 'success', text: t('sessions.othersDone', { count: ended }) });
        heading.current?.focus();
      },
    });
  };

  return (
    <Section id="sessions" title={t('sessions.title')} heading={heading}>
      <QueryState
        query={sessions}
        loading={<Skeleton height="4rem" aria-hidden />}
        failed={t('sessions.failed')}
        align="flex-start"
      >
        {(all) => (
          <ul className={classes.sessions}>
            {all.map((session) => (
              <Place key={session.id} session={session} onEnded={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </QueryState>
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
    </Section>
  );
}

function Place({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { t } = useTranslation('profile');
  const end = useMutation(revokeSession);
  const { browser, system, handheld } = browserName(session.userAgent);
  const Icon = handheld ? IconDeviceMobile : IconDeviceDesktop;
  const name =
    browser === null
      ? t('sessions.unknown')
      : system === null
        ? browser
        : t('sessions.browserOnSystem', { browser, system });

  const ask = async () => {
    const texts = { title: t('sessions.endTitle'), content: t('sessions.endText', { name }) };
    if (!(await confirm({ ...texts, label: t('sessions.end') }))) return;
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
