import type { MemberFilter, MemberRow } from '@framelift/contract';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { csvAddress, usersQuery } from '../../api/admin.ts';
import { formatDate, formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { CsvButton } from './CsvButton.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { Marks } from './Marks.tsx';
import { Search } from './Search.tsx';

/** Filter buttons: name in the URL and condition. */
const CHIPS = {
  unconfirmed: { confirmed: 'no' },
  restricted: { restricted: 'yes' },
  vip: { vip: 'yes' },
  admin: { admin: 'yes' },
  deleting: { deleting: 'yes' },
} as const satisfies Record<string, MemberFilter>;
type Chip = keyof typeof CHIPS;
const NAMES = Object.keys(CHIPS) as Chip[];

/** /admin/users: members by search text and filters, both stored in the URL. */
export function UsersPage() {
  const { t } = useTranslation('admin');
  const [query, setQuery] = useSearchParams();
  const q = query.get('q') ?? '';
  const chosen = NAMES.filter((name) => query.has(name));
  const filter: MemberFilter = Object.assign(q ? { q } : {}, ...chosen.map((name) => CHIPS[name]));
  const list = useInfiniteQuery(usersQuery(filter));

  const change = (name: string, value: string | null) =>
    setQuery((now) => {
      if (value === null || value === '') now.delete(name);
      else now.set(name, value);
      return now;
    });

  const columns: Column<MemberRow>[] = [
    {
      key: 'name',
      label: t('users.name'),
      cell: ({ id, name }) => (
        <Link to={`/admin/users/${id}`} className={classes.target}>
          {name}
        </Link>
      ),
    },
    { key: 'email', label: t('users.email'), cell: ({ email }) => email, loose: true },
    { key: 'marks', label: t('users.marks'), cell: (member) => <Marks member={member} /> },
    {
      key: 'created',
      label: t('users.created'),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt, currentLanguage())}</time>,
    },
    {
      key: 'seen',
      label: t('users.seen'),
      cell: ({ lastSeenAt }) =>
        lastSeenAt ? (
          <time dateTime={lastSeenAt}>{formatDateTime(lastSeenAt, currentLanguage())}</time>
        ) : (
          t('users.never')
        ),
    },
  ];

  return (
    <>
      <AdminTitle title={t('users.title')}>
        <CsvButton href={csvAddress('usersCsv', filter)} />
      </AdminTitle>
      <Search key={q} label={t('users.search')} value={q} onSearch={(text) => change('q', text)} />
      <fieldset className={classes.chips}>
        <legend hidden>{t('users.filter')}</legend>
        {NAMES.map((name) => {
          const on = chosen.includes(name);
          return (
            <Button
              key={name}
              px="sm"
              radius="xl"
              variant={on ? 'light' : 'default'}
              aria-pressed={on}
              onClick={() => change(name, on ? null : '1')}
            >
              {t(`marks.${name}`)}
            </Button>
          );
        })}
      </fieldset>
      <DataTable label={t('users.title')} columns={columns} query={list} empty={t('users.none')} />
    </>
  );
}
