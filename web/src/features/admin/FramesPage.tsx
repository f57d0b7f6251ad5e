import type { ManagedFrame } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { csvAddress, managedFramesQuery, unpairMemberFrame } from '../../api/admin.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { confirm } from '../../ui/confirm.ts';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { RowButton } from './buttons.tsx';
import { CsvButton } from './CsvButton.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { MemberCell } from './MemberCell.tsx';
import { Search } from './Search.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

/** /admin/frames: the paired frames of all members, and what they last reported. */
export function FramesPage() {
  const { t } = useTranslation('admin');
  const [query, setQuery] = useSearchParams();
  const q = query.get('q') ?? '';
  const filter = q ? { q } : {};
  const list = useInfiniteQuery(managedFramesQuery(filter));
  const action = useUndoableAction();
  const time = (at: string) => <time dateTime={at}>{formatDateTime(at, currentLanguage())}</time>;

  /** The frame deletes what it plays as soon as it notices, so this cannot be undone, only paired anew. */
  const unpair = async ({ id, name }: ManagedFrame) => {
    const texts = { title: t('frames.unpairTitle', { name }), content: t('frames.unpairText') };
    if (await confirm({ ...texts, label: t('frames.unpair') }))
      action.mutate({ run: () => unpairMemberFrame(id), done: t('frames.unpaired', { name }) });
  };

  const columns: Column<ManagedFrame>[] = [
    { key: 'name', label: t('frames.name'), cell: ({ name }) => name },
    {
      key: 'owner',
      label: t('frames.owner'),
      loose: true,
      cell: ({ owner }) => <MemberCell member={owner} />,
    },
    {
      key: 'kind',
      label: t('frames.kind'),
      cell: ({ kind, screen }) => (
        <div>
          {kind}
          <Text size="sm" c="dimmed" className="tabular">
            {screen.width} × {screen.height}
          </Text>
        </div>
      ),
    },
    {
      key: 'seen',
      label: t('frames.seen'),
      cell: ({ online, lastSeenAt }) =>
        online ? t('frames.online') : lastSeenAt ? time(lastSeenAt) : t('frames.never'),
    },
    { key: 'version', label: t('frames.version'), cell: ({ version }) => version ?? '–' },
    {
      key: 'problems',
      label: t('frames.problems'),
      loose: true,
      cell: ({ problems }) => {
        const [last, ...older] = problems;
        if (!last) return t('frames.fine');
        return (
          <div>
            {t(`frames.codes.${last.code}`)}
            <Text size="sm" c="dimmed">
              {time(last.at)}
              {older.length > 0 && ` · ${t('frames.older', { count: older.length })}`}
              {last.detail && (
                <>
                  <br />
                  <span lang="en">{last.detail}</span>
                </>
              )}
            </Text>
          </div>
        );
      },
    },
    {
      key: 'act',
      label: t('frames.act'),
      cell: (frame) => (
        <RowButton
          className={classes.danger ?? ''}
          loading={action.isPending}
          aria-label={t('frames.unpairOf', { name: frame.name })}
          onClick={() => void unpair(frame)}
        >
          {t('frames.unpair')}
        </RowButton>
      ),
    },
  ];

  return (
    <>
      <AdminTitle title={t('frames.title')}>
        <CsvButton href={csvAddress('managedFramesCsv', filter)} />
      </AdminTitle>
      <Search key={q} label={t('frames.search')} value={q} onSearch={(text) => setQuery(text ? { q: text } : {})} />
      <DataTable label={t('frames.title')} columns={columns} query={list} empty={t('frames.none')} />
    </>
  );
}
