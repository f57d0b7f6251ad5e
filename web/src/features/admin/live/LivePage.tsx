import { inLanguage, LIVE_STATES, type ManagedLiveEvent } from '@framelift/contract';
import { Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  deleteLiveEvent,
  liveSettingsQuery,
  managedLiveEventsQuery,
  restoreLiveEvent,
  setLiveEvent,
} from '../../../api/admin.ts';
import { formatDateTime, formatNumber } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { QueryState } from '../../../ui/QueryState.tsx';
import classes from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { NewButton, RowButton } from '../buttons.tsx';
import { type Column, DataTable } from '../DataTable.tsx';
import { EditDialog } from '../EditDialog.tsx';
import { FilterSelect } from '../Filters.tsx';
import { Loading } from '../Loading.tsx';
import { Panel } from '../Panel.tsx';
import { useEditing } from '../use-editing.ts';
import { useFilters } from '../use-filters.ts';
import { replacing, useUndoableAction } from '../use-undoable-action.ts';
import { CountriesForm } from './CountriesForm.tsx';
import { eventInput, LiveEventForm } from './LiveEventForm.tsx';

/** /admin/live: live events with their angles, and from where they may be watched. */
export function LivePage() {
  const { t } = useTranslation('adminLive');
  const language = currentLanguage();
  const { given, change } = useFilters();
  const state = LIVE_STATES.find((one) => one === given('state'));
  const events = useInfiniteQuery(managedLiveEventsQuery(state));
  const settings = useQuery(liveSettingsQuery);
  const action = useUndoableAction();
  const editing = useEditing<ManagedLiveEvent>();
  const titleOf = ({ title }: Pick<ManagedLiveEvent, 'title'>) => inLanguage(title, language);

  const save = (input: Parameters<typeof setLiveEvent>[0]) => {
    const { row } = editing;
    // A picture that was replaced is gone, and so are angles that were removed: they would come back as others.
    const isWhole = row?.angles.every(({ id }) => input.angles.some((angle) => angle.id === id));
    const before = row && isWhole && input.cover_media === undefined ? eventInput(row) : null;
    editing.save(replacing(setLiveEvent, before, input, t('saved', { name: titleOf(input) })));
  };
  const toggle = (event: ManagedLiveEvent) => {
    const before = eventInput(event);
    const done = t(event.is_active ? 'hiddenDone' : 'shownDone', { name: titleOf(event) });
    action.mutate(replacing(setLiveEvent, before, { ...before, is_active: !event.is_active }, done));
  };
  const remove = (event: ManagedLiveEvent) =>
    action.mutate({
      run: () => deleteLiveEvent(event.id),
      done: t('deleted', { name: titleOf(event) }),
      undo: () => restoreLiveEvent(event.id),
    });

  const columns: Column<ManagedLiveEvent>[] = [
    {
      key: 'title',
      label: t('event'),
      cell: (event) => (
        <div>
          {titleOf(event)}
          <Text size="sm" c="dimmed">
            {t('times', {
              from: formatDateTime(event.starts_at, language),
              to: formatDateTime(event.ends_at, language),
            })}
          </Text>
        </div>
      ),
    },
    {
      key: 'state',
      label: t('state'),
      cell: ({ state: now, is_active }) => (is_active ? t(`states.${now}`) : t('hidden')),
    },
    {
      key: 'access',
      label: t('access'),
      cell: ({ is_free_view, product }) =>
        is_free_view
          ? t('everyMember')
          : product
            ? t('planOr', { product: inLanguage(product.name, language) })
            : t('plan'),
    },
    { key: 'angles', label: t('angles'), cell: ({ angles }) => formatNumber(angles.length, language) },
    { key: 'viewers', label: t('viewers'), cell: ({ viewers }) => formatNumber(viewers, language) },
    {
      key: 'act',
      label: t('act'),
      cell: (event) => {
        const name = titleOf(event);
        return (
          <Group gap="xs">
            <RowButton aria-label={t('editOf', { name })} onClick={() => editing.edit(event)}>
              {t('edit')}
            </RowButton>
            <RowButton
              loading={action.isPending}
              aria-label={t(event.is_active ? 'hideOf' : 'showOf', { name })}
              onClick={() => toggle(event)}
            >
              {t(event.is_active ? 'hide' : 'show')}
            </RowButton>
            <RowButton loading={action.isPending} aria-label={t('deleteOf', { name })} onClick={() => remove(event)}>
              {t('delete')}
            </RowButton>
          </Group>
        );
      },
    },
  ];

  return (
    <>
      <AdminTitle title={t('title')}>
        <NewButton onClick={() => editing.edit('new')}>{t('newEvent')}</NewButton>
      </AdminTitle>
      <QueryState query={settings} loading={<Loading height="16.75rem" />} align="flex-start">
        {(current) => (
          <Panel title={t('countries.title')}>
            <CountriesForm key={JSON.stringify(current)} settings={current} />
          </Panel>
        )}
      </QueryState>
      <div className={classes.filters}>
        <FilterSelect
          label={t('state')}
          all={t('allStates')}
          options={LIVE_STATES}
          labelOf={(one) => t(`states.${one}`)}
          value={state}
          onChange={(value) => change('state', value)}
        />
      </div>
      <DataTable label={t('title')} columns={columns} query={events} empty={t('none')} />
      <EditDialog editing={editing} newTitle={t('newEvent')} titleOf={titleOf}>
        {(event) => <LiveEventForm event={event} {...editing.form} onSave={save} />}
      </EditDialog>
    </>
  );
}
