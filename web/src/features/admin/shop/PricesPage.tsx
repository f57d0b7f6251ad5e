import { formatMoney, inLanguage, type ManagedOffer, type ManagedPlan } from '@framelift/contract';
import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import {
  allManagedProductsQuery,
  archiveOffer,
  managedOffersQuery,
  managedPlansQuery,
  setOffer,
  setPlan,
} from '../../../api/admin.ts';
import { formatBytes, formatNumber } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { NewButton, RowButton } from '../buttons.tsx';
import { type Column, DataTable } from '../DataTable.tsx';
import { EditDialog } from '../EditDialog.tsx';
import { onePage } from '../one-page.ts';
import { useEditing } from '../use-editing.ts';
import { replacing, useUndoableAction } from '../use-undoable-action.ts';
import { OfferForm } from './OfferForm.tsx';
import { PlanForm, planInput } from './PlanForm.tsx';

const KINDS = ['product', 'plan', 'points'] as const;
type Kind = (typeof KINDS)[number];

/** /admin/prices: the plans, and what products, plans and points are sold for. */
export function PricesPage() {
  const { t } = useTranslation('admin');
  const language = currentLanguage();
  const [query, setQuery] = useSearchParams();
  const shownKind = KINDS.find((kind) => kind === query.get('kind'));
  const plans = useQuery(managedPlansQuery);
  const offers = useInfiniteQuery(managedOffersQuery(shownKind));
  const { data: products = [] } = useQuery(allManagedProductsQuery);
  const action = useUndoableAction();
  const planEditing = useEditing<ManagedPlan>();
  const offerEditing = useEditing<{ readonly kind: Kind; readonly offer: ManagedOffer | null }>();
  const number = (value: number) => formatNumber(value, language);
  const nameOf = (one: Pick<ManagedPlan, 'name'>) => inLanguage(one.name, language);
  const offerName = ({ name, product_id, plan_id, points }: ManagedOffer) => {
    if (name) return inLanguage(name, language);
    const of =
      product_id === null ? plans.data?.find(({ id }) => id === plan_id) : products.find(({ id }) => id === product_id);
    return of ? nameOf(of) : points === null ? '…' : t('shop.pointCount', { count: points });
  };
  const priceOf = ({ price_usd, price_twd }: ManagedOffer) =>
    [
      formatMoney({ amount: price_usd, currency: 'USD' }, language),
      ...(price_twd === null ? [] : [formatMoney({ amount: price_twd, currency: 'TWD' }, language)]),
    ].join(' · ');

  const savePlan = (input: Parameters<typeof setPlan>[0]) => {
    const before = planEditing.row && planInput(planEditing.row);
    planEditing.save(replacing(setPlan, before, input, t('shop.saved', { name: nameOf(input) })));
  };
  const archivePlan = (plan: ManagedPlan) => {
    const before = planInput(plan);
    const done = t(before.archived ? 'shop.offeredDone' : 'shop.archivedDone', { name: nameOf(plan) });
    action.mutate(replacing(setPlan, before, { ...before, archived: !before.archived }, done));
  };
  const saveOffer = (input: Parameters<typeof setOffer>[0]) =>
    // Without undo: an offer whose price changes is replaced, and the earlier one can be put back from the list.
    offerEditing.save({ run: () => setOffer(input), done: t('shop.offerSaved') });
  const archive = (offer: ManagedOffer) => {
    const { id, archived_at } = offer;
    action.mutate({
      run: () => archiveOffer(id, archived_at === null),
      done: t(archived_at === null ? 'shop.archivedDone' : 'shop.offeredDone', { name: offerName(offer) }),
      undo: () => archiveOffer(id, archived_at !== null),
    });
  };
  const acts = (name: string, isArchived: boolean, onEdit: () => void, onArchive: () => void) => (
    <Group gap="xs">
      <RowButton aria-label={t('shop.editOf', { name })} onClick={onEdit}>
        {t('shop.edit')}
      </RowButton>
      <RowButton
        loading={action.isPending}
        aria-label={t(isArchived ? 'shop.offerOf' : 'shop.archiveOf', { name })}
        onClick={onArchive}
      >
        {t(isArchived ? 'shop.offerAgain' : 'shop.archive')}
      </RowButton>
    </Group>
  );

  const planColumns: Column<ManagedPlan>[] = [
    { key: 'name', label: t('shop.plan'), cell: nameOf },
    {
      key: 'brings',
      label: t('shop.brings'),
      cell: ({ points, storage_bytes, video_seconds, live }) => (
        <Text size="sm">
          {[
            t('shop.pointCount', { count: points }),
            storage_bytes && formatBytes(storage_bytes, language),
            video_seconds && t('shop.minuteCount', { count: Math.round(video_seconds / 60) }),
            live && t('shop.live'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      ),
    },
    { key: 'members', label: t('shop.members'), cell: ({ members }) => number(members) },
    {
      key: 'state',
      label: t('shop.state'),
      cell: ({ archived_at }) => t(archived_at === null ? 'shop.offered' : 'shop.archived'),
    },
    {
      key: 'act',
      label: t('shop.act'),
      cell: (plan) =>
        acts(
          nameOf(plan),
          plan.archived_at !== null,
          () => planEditing.edit(plan),
          () => archivePlan(plan),
        ),
    },
  ];
  const offerColumns: Column<ManagedOffer>[] = [
    {
      key: 'name',
      label: t('shop.offer'),
      cell: (offer) => (
        <div>
          {offerName(offer)}
          <Text size="sm" c="dimmed">
            {t(`shop.kinds.${offer.kind}`)}
          </Text>
        </div>
      ),
    },
    { key: 'price', label: t('shop.price'), cell: priceOf },
    {
      key: 'period',
      label: t('shop.period'),
      cell: ({ period, points }) =>
        period === null ? t('shop.pointCount', { count: points ?? 0 }) : t('shop.monthCount', { count: period }),
    },
    {
      key: 'state',
      label: t('shop.state'),
      cell: ({ archived_at }) => t(archived_at === null ? 'shop.offered' : 'shop.archived'),
    },
    {
      key: 'act',
      label: t('shop.act'),
      cell: (offer) =>
        acts(
          `${offerName(offer)}, ${priceOf(offer)}`,
          offer.archived_at !== null,
          () => offerEditing.edit({ kind: offer.kind, offer }),
          () => archive(offer),
        ),
    },
  ];

  return (
    <>
      <AdminTitle title={t('shop.pricesTitle')}>
        <NewButton onClick={() => planEditing.edit('new')}>{t('shop.newPlan')}</NewButton>
      </AdminTitle>
      <DataTable label={t('shop.plans')} columns={planColumns} query={onePage(plans)} empty={t('shop.noPlans')} />
      {/* Below a list of unknown height it would move. */}
      {!plans.isPending && (
        <>
          <div className={classes.head}>
            <Title order={2}>{t('shop.offers')}</Title>
            <Group gap="xs">
              {KINDS.map((kind) => (
                <Button
                  key={kind}
                  variant="default"
                  leftSection={<IconPlus size="1.1em" aria-hidden />}
                  disabled={(kind === 'product' && products.length === 0) || (kind === 'plan' && !plans.data?.length)}
                  onClick={() => offerEditing.edit({ kind, offer: null })}
                >
                  {t(`shop.newOffer.${kind}`)}
                </Button>
              ))}
            </Group>
          </div>
          <div className={classes.filters}>
            <NativeSelect
              size="md"
              label={t('shop.kind')}
              data={[
                { value: '', label: t('shop.allKinds') },
                ...KINDS.map((kind) => ({ value: kind, label: t(`shop.kinds.${kind}`) })),
              ]}
              value={shownKind ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setQuery(value === '' ? {} : { kind: value }, { replace: true })
              }
            />
          </div>
          <DataTable label={t('shop.offers')} columns={offerColumns} query={offers} empty={t('shop.noOffers')} />
        </>
      )}
      <EditDialog editing={planEditing} newTitle={t('shop.newPlan')} titleOf={nameOf}>
        {(plan) => <PlanForm plan={plan} {...planEditing.form} onSave={savePlan} />}
      </EditDialog>
      <EditDialog
        editing={offerEditing}
        titleOf={({ kind, offer }) => (offer ? offerName(offer) : t(`shop.newOffer.${kind}`))}
      >
        {(edited) =>
          edited && (
            <OfferForm
              kind={edited.kind}
              offer={edited.offer}
              products={products}
              plans={plans.data ?? []}
              {...offerEditing.form}
              onSave={saveOffer}
            />
          )
        }
      </EditDialog>
    </>
  );
}
