import { inLanguage, type ManagedProduct, type ManagedStore } from '@framelift/contract';
import { Group, NativeSelect, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { managedProductsQuery, managedStoresQuery, setProduct, setStore } from '../../../api/admin.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { NewButton, RowButton } from '../buttons.tsx';
import { type Column, DataTable } from '../DataTable.tsx';
import { EditDialog } from '../EditDialog.tsx';
import { onePage } from '../one-page.ts';
import { useEditing } from '../use-editing.ts';
import { replacing, useUndoableAction } from '../use-undoable-action.ts';
import { ProductForm, productInput } from './ProductForm.tsx';
import { StoreForm } from './StoreForm.tsx';

/** Returns a store as the call that changes it takes it, without its icon, which then stays. */
const storeInput = ({ id, name, position, is_active }: ManagedStore) => ({ id, name, position, is_active });

/** /admin/stores: the stores and their products. Every change is saved at once, and of an existing one can be undone. */
export function StoresPage() {
  const { t } = useTranslation('admin');
  const language = currentLanguage();
  const [query, setQuery] = useSearchParams();
  const store = query.get('store') ?? undefined;
  const stores = useQuery(managedStoresQuery);
  const products = useInfiniteQuery(managedProductsQuery(store));
  const action = useUndoableAction();
  const storeEditing = useEditing<ManagedStore>();
  const productEditing = useEditing<ManagedProduct>();
  const nameOf = (one: Pick<ManagedStore, 'name'>) => inLanguage(one.name, language);
  const number = (value: number) => formatNumber(value, language);

  const saveStore = (input: Parameters<typeof setStore>[0]) => {
    // An icon that was replaced is gone.
    const before = input.icon_media === undefined && storeEditing.row ? storeInput(storeEditing.row) : null;
    storeEditing.save(replacing(setStore, before, input, t('shop.saved', { name: nameOf(input) })));
  };
  const saveProduct = (input: Parameters<typeof setProduct>[0]) => {
    const before = productEditing.row && productInput(productEditing.row);
    productEditing.save(replacing(setProduct, before, input, t('shop.saved', { name: nameOf(input) })));
  };
  const toggle = (product: ManagedProduct) => {
    const before = productInput(product);
    const after = { ...before, is_activated: !before.is_activated };
    const done = t(product.is_activated ? 'shop.hiddenDone' : 'shop.shownDone', { name: nameOf(product) });
    action.mutate(replacing(setProduct, before, after, done));
  };

  const storeColumns: Column<ManagedStore>[] = [
    { key: 'name', label: t('shop.name'), cell: nameOf },
    { key: 'products', label: t('shop.products'), cell: (one) => number(one.products) },
    { key: 'position', label: t('shop.position'), cell: ({ position }) => number(position) },
    {
      key: 'state',
      label: t('shop.state'),
      cell: ({ is_active }) => t(is_active ? 'shop.open' : 'shop.closed'),
    },
    {
      key: 'act',
      label: t('shop.act'),
      cell: (one) => (
        <RowButton aria-label={t('shop.editOf', { name: nameOf(one) })} onClick={() => storeEditing.edit(one)}>
          {t('shop.edit')}
        </RowButton>
      ),
    },
  ];
  const productColumns: Column<ManagedProduct>[] = [
    {
      key: 'name',
      label: t('shop.name'),
      cell: (product) => (
        <div>
          {nameOf(product)}
          <Text size="sm" c="dimmed">
            {nameOf(product.store)}
          </Text>
        </div>
      ),
    },
    {
      key: 'content',
      label: t('shop.pictures'),
      cell: ({ album }) =>
        album === null
          ? t('shop.noAlbum')
          : album.waiting > 0
            ? t('shop.waiting', { ready: number(album.ready), waiting: number(album.waiting) })
            : number(album.ready),
    },
    {
      key: 'price',
      label: t('shop.price'),
      cell: ({ has_free, offers }) => (has_free ? t('shop.free') : t('shop.offerCount', { count: offers })),
    },
    { key: 'members', label: t('shop.members'), cell: ({ members }) => number(members) },
    {
      key: 'state',
      label: t('shop.state'),
      cell: ({ is_activated }) => t(is_activated ? 'shop.shown' : 'shop.hidden'),
    },
    {
      key: 'act',
      label: t('shop.act'),
      cell: (product) => {
        const name = nameOf(product);
        return (
          <Group gap="xs">
            <RowButton aria-label={t('shop.editOf', { name })} onClick={() => productEditing.edit(product)}>
              {t('shop.edit')}
            </RowButton>
            <RowButton
              loading={action.isPending}
              aria-label={t(product.is_activated ? 'shop.hideOf' : 'shop.showOf', { name })}
              onClick={() => toggle(product)}
            >
              {t(product.is_activated ? 'shop.hide' : 'shop.show')}
            </RowButton>
          </Group>
        );
      },
    },
  ];

  return (
    <>
      <AdminTitle title={t('shop.storesTitle')}>
        <NewButton onClick={() => storeEditing.edit('new')}>{t('shop.newStore')}</NewButton>
      </AdminTitle>
      <DataTable
        label={t('shop.storesTitle')}
        columns={storeColumns}
        query={onePage(stores)}
        empty={t('shop.noStores')}
      />
      {/* Below a list of unknown height it would move. */}
      {!stores.isPending && (
        <>
          <div className={classes.head}>
            <Title order={2}>{t('shop.products')}</Title>
            <NewButton disabled={!stores.data?.length} onClick={() => productEditing.edit('new')}>
              {t('shop.newProduct')}
            </NewButton>
          </div>
          <div className={classes.filters}>
            <NativeSelect
              size="md"
              label={t('shop.store')}
              data={[
                { value: '', label: t('shop.allStores') },
                ...(stores.data ?? []).map((one) => ({ value: String(one.id), label: nameOf(one) })),
              ]}
              value={store ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setQuery(value === '' ? {} : { store: value }, { replace: true })
              }
            />
          </div>
          <DataTable
            label={t('shop.products')}
            columns={productColumns}
            query={products}
            empty={t('shop.noProducts')}
          />
        </>
      )}
      <EditDialog editing={storeEditing} newTitle={t('shop.newStore')} titleOf={nameOf}>
        {(one) => <StoreForm store={one} {...storeEditing.form} onSave={saveStore} />}
      </EditDialog>
      <EditDialog editing={productEditing} newTitle={t('shop.newProduct')} titleOf={nameOf}>
        {(product) =>
          stores.data && (
            <ProductForm product={product} stores={stores.data} {...productEditing.form} onSave={saveProduct} />
          )
        }
      </EditDialog>
    </>
  );
}
