import type { MemberStorage, SiteSettings } from '@framelift/contract';
import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { setStorageDefault, setUserStorage, siteSettingsQuery, storageUseQuery } from '../../api/admin.ts';
import { formatBytes, formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Form } from '../../ui/Form.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Admin.module.css';
import { AdminTitle } from './AdminTitle.tsx';
import { RowButton } from './buttons.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { EditDialog } from './EditDialog.tsx';
import { Loading } from './Loading.tsx';
import { onePage } from './one-page.ts';
import { Panel } from './Panel.tsx';
import { Search } from './Search.tsx';
import { useEditing } from './use-editing.ts';
import { useUndoableAction } from './use-undoable-action.ts';

const MIB = 1024 * 1024;
const bytes = (value: number) => formatBytes(value, currentLanguage());

/** /admin/storage: the limit of all members, and those who store most with limits of their own. */
export function StoragePage() {
  const { t } = useTranslation('admin');
  const [query, setQuery] = useSearchParams();
  const q = query.get('q') ?? '';
  const settings = useQuery(siteSettingsQuery);
  const list = useQuery(storageUseQuery(q ? { q } : {}));
  const editing = useEditing<MemberStorage>();

  const setOwn = ({ id, name, ownLimit }: MemberStorage, limit: number | null) =>
    editing.save({
      run: () => setUserStorage({ id, limit }),
      done: t('storage.memberDone', { name }),
      undo: () => setUserStorage({ id, limit: ownLimit }),
    });

  const columns: Column<MemberStorage>[] = [
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
    {
      key: 'used',
      label: t('storage.used'),
      cell: ({ used, limit }) => (
        <div>
          {bytes(used)}
          {limit > 0 && (
            <Text size="sm" c="dimmed">
              {formatPercent(used / limit, currentLanguage())}
            </Text>
          )}
        </div>
      ),
    },
    {
      key: 'limit',
      label: t('storage.limit'),
      cell: ({ limit, ownLimit }) => (
        <div>
          {bytes(limit)}
          {ownLimit !== null && (
            <Text size="sm" c="dimmed">
              {t('storage.own')}
            </Text>
          )}
        </div>
      ),
    },
    {
      key: 'act',
      label: t('storage.act'),
      cell: (member) => (
        <RowButton aria-label={t('storage.changeOf', { name: member.name })} onClick={() => editing.edit(member)}>
          {t('storage.change')}
        </RowButton>
      ),
    },
  ];

  return (
    <>
      <AdminTitle title={t('storage.title')} />
      <QueryState query={settings} loading={<Loading height="14rem" />} align="flex-start">
        {({ storage }) => <Default key={storage.limit} storage={storage} />}
      </QueryState>
      {/* Rendered only when the height of the section above is known: otherwise it would be pushed down. */}
      {!settings.isPending && (
        <>
          <Search key={q} label={t('users.search')} value={q} onSearch={(text) => setQuery(text ? { q: text } : {})} />
          <p className={classes.lead}>{t('storage.most')}</p>
          <DataTable label={t('storage.title')} columns={columns} query={onePage(list)} empty={t('users.none')} />
        </>
      )}
      <EditDialog editing={editing} titleOf={({ name }) => t('storage.changeOf', { name })}>
        {(member) =>
          member && (
            <LimitForm
              limit={member.limit}
              saving={editing.form.saving}
              onSave={(limit) => setOwn(member, limit)}
              onReset={member.ownLimit === null ? null : () => setOwn(member, null)}
            />
          )
        }
      </EditDialog>
    </>
  );
}

function Default({ storage: { limit, builtin } }: { storage: SiteSettings['storage'] }) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  const set = (next: number | null) =>
    action.mutate({
      run: () => setStorageDefault({ limit: next }),
      done: t('storage.defaultDone'),
      undo: () => setStorageDefault({ limit }),
    });
  return (
    <Panel title={t('storage.default')}>
      <Text>{limit === null ? t('storage.builtin', { size: bytes(builtin) }) : t('storage.set')}</Text>
      <LimitForm
        limit={limit ?? builtin}
        saving={action.isPending}
        onSave={set}
        onReset={limit === null ? null : () => set(null)}
      />
    </Panel>
  );
}

function LimitForm({
  limit,
  saving,
  onSave,
  onReset,
}: {
  readonly limit: number;
  readonly saving: boolean;
  readonly onSave: (limit: number) => void;
  /** Null where there is nothing to take back. */
  readonly onReset: (() => void) | null;
}) {
  const { t } = useTranslation('admin');
  const [value, setValue] = useState<number | string>(Math.round(limit / MIB));
  const wanted = Number(value);
  const valid = value !== '' && Number.isInteger(wanted) && wanted >= 0;
  return (
    <Form onSubmit={() => valid && onSave(wanted * MIB)}>
      <Stack>
        <NumberInput
          size="md"
          label={t('storage.megabytes')}
          description={t('storage.hint')}
          min={0}
          allowDecimal={false}
          hideControls
          inputMode="numeric"
          value={value}
          onChange={setValue}
        />
        <Group>
          <Button type="submit" disabled={!valid || wanted * MIB === limit} loading={saving}>
            {t('storage.save')}
          </Button>
          {onReset && (
            <Button variant="default" loading={saving} onClick={onReset}>
              {t('storage.reset')}
            </Button>
          )}
        </Group>
      </Stack>
    </Form>
  );
}
