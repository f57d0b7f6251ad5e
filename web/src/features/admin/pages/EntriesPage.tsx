import { type EntryKind, LANGUAGES, type ManagedEntry } from '@framelift/contract';
import { Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconEyeOff from '@tabler/icons-react/icons/IconEyeOff';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { deleteEntry, managedEntriesQuery, moveEntry, restoreEntry, setEntry } from '../../../api/admin.ts';
import { formatDateTime, formatList } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { QueryState } from '../../../ui/QueryState.tsx';
import { SortableList } from '../../../ui/SortableList.tsx';
import { SortableRow } from '../../../ui/SortableRow.tsx';
import adminClasses from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { NewButton, RowButton } from '../buttons.tsx';
import { Loading } from '../Loading.tsx';
import { useUndoableAction } from '../use-undoable-action.ts';
import { entryInput, missingIn, nameOf, pathOfKind, textsOf } from './entries.ts';
import classes from './Pages.module.css';

/** /admin/faq and /admin/locations: what visitors read there, in an order that operators choose. */
export function EntriesPage({ kind }: { kind: EntryKind }) {
  const { t } = useTranslation(['adminPages', 'sorting']);
  const query = useQuery(managedEntriesQuery(kind));
  const action = useUndoableAction();
  const name = (entry: ManagedEntry) => nameOf(entry, currentLanguage());
  const move = (id: string, before: string | null) => {
    const rows = query.data ?? [];
    const at = rows.findIndex((one) => one.id === id);
    const row = rows[at];
    const next = rows[at + 1]?.id ?? null;
    const undo = () => moveEntry(id, next);
    const done = t('moved', { name: row ? name(row) : '' });
    return action.mutateAsync({ run: () => moveEntry(id, before), done, undo }).catch(() => {});
  };
  const toggle = (entry: ManagedEntry) => {
    let { revision } = entry;
    const set = (is_active: boolean) => async () => {
      ({ revision } = await setEntry({ ...entryInput(entry), revision, is_active }));
    };
    action.mutate({
      run: set(!entry.is_active),
      done: t(entry.is_active ? 'hiddenDone' : 'shownDone', { name: name(entry) }),
      undo: set(entry.is_active),
    });
  };
  const remove = (entry: ManagedEntry) =>
    action.mutate({
      run: () => deleteEntry(entry.id),
      done: t('deleted', { name: name(entry) }),
      undo: () => restoreEntry(entry.id),
    });
  return (
    <>
      <AdminTitle title={t(`${kind}.title`)}>
        <NewButton component={Link} to={`${pathOfKind(kind)}/new`}>
          {t(`${kind}.new`)}
        </NewButton>
      </AdminTitle>
      <p className={adminClasses.lead}>{t(`${kind}.lead`)}</p>
      <QueryState query={query} loading={<Loading height="12rem" />} align="flex-start">
        {(entries) =>
          entries.length === 0 ? (
            <Text c="dimmed">{t(`${kind}.none`)}</Text>
          ) : (
            <SortableList rows={entries} nameOf={name} onMove={move} className={classes.rows}>
              {(entry) => (
                <Row
                  key={entry.id}
                  entry={entry}
                  name={name(entry)}
                  busy={action.isPending}
                  onToggle={() => toggle(entry)}
                  onDelete={() => remove(entry)}
                />
              )}
            </SortableList>
          )
        }
      </QueryState>
    </>
  );
}

interface RowProps {
  readonly entry: ManagedEntry;
  readonly name: string;
  readonly busy: boolean;
  readonly onToggle: () => void;
  readonly onDelete: () => void;
}

function Row({ entry, name, busy, onToggle, onDelete }: RowProps) {
  const { t } = useTranslation('adminPages');
  const { id, kind, is_active, changed_at, changed_by } = entry;
  const missing = missingIn(kind, textsOf(entry));
  const languages = LANGUAGES.filter(({ code }) => missing.includes(code)).map((one) => one.name);
  const when = formatDateTime(changed_at, currentLanguage());
  return (
    <SortableRow id={id} name={name} className={classes.row}>
      <div className={classes.about}>
        <Text fw={500}>{name}</Text>
        <span className={classes.marks}>
          {!is_active && (
            <span className={classes.mark}>
              <IconEyeOff size="1rem" aria-hidden />
              {t('hidden')}
            </span>
          )}
          {languages.length > 0 && (
            <span className={classes.mark} data-missing>
              <IconAlertTriangle size="1rem" aria-hidden />
              {t('missing', { languages: formatList(languages, currentLanguage()) })}
            </span>
          )}
          <span className={classes.mark}>
            {changed_by === null ? t('builtin') : t('changed', { name: changed_by, time: when })}
          </span>
        </span>
      </div>
      <div className={classes.acts}>
        <RowButton component={Link} to={`${pathOfKind(kind)}/${id}`} aria-label={t('editOf', { name })}>
          {t('edit')}
        </RowButton>
        <RowButton loading={busy} aria-label={t(is_active ? 'hideOf' : 'showOf', { name })} onClick={onToggle}>
          {t(is_active ? 'hide' : 'show')}
        </RowButton>
        <RowButton loading={busy} aria-label={t('deleteOf', { name })} onClick={onDelete}>
          {t('delete')}
        </RowButton>
      </div>
    </SortableRow>
  );
}
