import { LANGUAGES, type MemberDetail } from '@framelift/contract';
import { Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { auditLogQuery, userDetailQuery } from '../../api/admin.ts';
import { formatBytes, formatDateTime, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { browserName } from '../../shared/browser-name.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { DataTable } from './DataTable.tsx';
import { Loading } from './Loading.tsx';
import { useLogColumns } from './log-columns.tsx';
import { Marks } from './Marks.tsx';
import { Panel } from './Panel.tsx';
import { UserPurchases } from './payments/UserPurchases.tsx';
import { UserActions } from './UserActions.tsx';
import { UserPoints } from './UserPoints.tsx';

/** /admin/users/:id: details of one member, the available actions, and the log. */
export function UserPage() {
  const { t } = useTranslation('admin');
  const { id = '' } = useParams();
  const query = useQuery(userDetailQuery(id));
  return (
    <>
      <Link to="/admin/users" className={classes.target}>
        {t('user.back')}
      </Link>
      <QueryState query={query} loading={<Loading height="30rem" />} align="flex-start">
        {(member) => (
          <>
            <AdminTitle title={member.name} />
            <Marks member={member} />
            <div className={classes.columns}>
              <Facts member={member} />
              <UserActions member={member} />
            </div>
            <Sessions sessions={member.sessions} />
            <UserPurchases id={id} />
            <UserPoints member={member} />
            <Log id={id} />
          </>
        )}
      </QueryState>
    </>
  );
}

function Facts({ member }: { member: MemberDetail }) {
  const { t } = useTranslation('admin');
  const when = (time: string | null) => (time ? formatDateTime(time, currentLanguage()) : null);
  const number = (value: number) => formatNumber(value, currentLanguage());
  const { uploads } = member;
  const facts = [
    ['email', member.email],
    ['phone', member.phone],
    ['id', member.id],
    ['language', LANGUAGES.find(({ code }) => code === member.language)?.name],
    ['created', when(member.createdAt)],
    ['confirmed', when(member.confirmedAt)],
    ['seen', when(member.lastSeenAt)],
    ['vip', member.VIP ? (when(member.vipUntil) ?? t('user.noEnd')) : null],
    ['restricted', when(member.restrictedAt)],
    ['deletion', when(member.deletionAt)],
    ['points', number(member.points)],
    ['freePoints', number(member.freePoints)],
    ['pictures', number(uploads.pictures)],
    ['videos', number(uploads.films)],
    ['converting', uploads.converting > 0 ? number(uploads.converting) : null],
    ['failed', uploads.failed > 0 ? number(uploads.failed) : null],
    ['stored', formatBytes(member.storedBytes, currentLanguage())],
  ] as const;
  return (
    <Panel title={t('user.facts')}>
      <dl className={classes.facts}>
        {facts.map(
          ([name, value]) => value && [<dt key={name}>{t(`user.${name}`)}</dt>, <dd key={`${name} is`}>{value}</dd>],
        )}
      </dl>
    </Panel>
  );
}

function Sessions({ sessions }: { sessions: MemberDetail['sessions'] }) {
  const { t } = useTranslation('admin');
  const nameOf = (userAgent: string) => {
    const { browser: name, version, system } = browserName(userAgent);
    if (name === null) return t('user.unknownBrowser');
    const browser = version === null ? name : `${name} ${version}`;
    return system === null ? browser : t('user.browserOnSystem', { browser, system });
  };
  return (
    <Panel title={t('user.sessions')}>
      {sessions.length === 0 ? (
        <Text c="dimmed">{t('user.noSessions')}</Text>
      ) : (
        <ul className={classes.sessions}>
          {sessions.map(({ id, userAgent, lastSeenAt }) => (
            <li key={id}>
              <span title={userAgent}>{nameOf(userAgent)}</span>
              <Text size="sm" c="dimmed">
                {t('user.lastSeen', { time: formatDateTime(lastSeenAt, currentLanguage()) })}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Log({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const list = useInfiniteQuery(auditLogQuery({ subject: id }));
  const columns = useLogColumns().filter(({ key }) => key !== 'subject');
  return (
    <>
      <Title order={2} size="h4">
        {t('user.log')}
      </Title>
      <DataTable label={t('user.log')} columns={columns} query={list} empty={t('log.none')} />
    </>
  );
}
