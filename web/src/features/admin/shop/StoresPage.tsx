import { inLanguage, type ManagedProduct, type ManagedStore } from '@framelift/contract';
import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { managedProductsQuery, managedStoresQuery, setProduct, setStore } from '../../../api/admin.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import classes from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { type Column, DataTable } from '../DataTable.tsx';
import { onePage } from '../one-page.ts';
import { useUndoableAction } from '../use-undoable-action.ts';
import { EditDialog, type Edited } from './EditDialog.tsx';
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
  const form = useUndoableAction();
  const [editedStore, setEditedStore] = useState<Edited<ManagedStore>>(null);
  const [editedProduct, setEditedProduct] = useState<Edited<ManagedProduct>>(null);
  /** What an earlier form was refused for is not shown in this one. */
  const editStore = (one: typeof editedStore) => {
    form.reset();
    setEditedStore(one);
  };
  const editProduct = (product: typeof editedProduct) => {
    form.reset();
    setEditedProduct(product);
  };
  const nameOf = (one: Pick<ManagedStore, 'name'>) => inLanguage(one.name, language);
  const number = (value: number) => formatNumber(value, language);

  const saveStore = (input: Parameters<typeof setStore>[0]) => {
    const before = editedStore === 'new' ? null : editedStore;
    // An icon that was replaced is gone.
    const undo = before && input.icon_media === undefined ? () => setStore(storeInput(before)) : undefined;
    form.mutate(
      { run: () => setStore(input), done: t('shop.saved', { name: inLanguage(input.name, language) }), undo },
      { onSuccess: () => editStore(null) },
    );
  };
  const saveProduct = (input: Parameters<typeof setProduct>[0]) => {
    const before = editedProduct === 'new' ? null : editedProduct;
    form.mutate(
      {
        run: () => setProduct(input),
        done: t('shop.saved', { name: inLanguage(input.name, language) }),
        undo: before ? () => setProduct(productInput(before)) : undefined,
      },
      { onSuccess: () => editProduct(null) },
    );
  };
  const toggle = (product: ManagedProduct) => {
    const before = productInput(product);
    action.mutate({
      run: () => setProduct({ ...before, is_activated: !product.is_activated }),
      done: t(product.is_activated ? 'shop.hiddenDone' : 'shop.shownDone', { name: nameOf(product) }),
      undo: () => setProduct(before),
    });
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
        <Button
          variant="default"
          px="sm"
          aria-label={t('shop.editOf', { name: nameOf(one) })}
          onClick={() => editStore(one)}
        >
          {t('shop.edit')}
        </Button>
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
            <Button
              variant="default"
              px="sm"
              aria-label={t('shop.editOf', { name })}
              onClick={() => editProduct(product)}
            >
              {t('shop.edit')}
            </Button>
            <Button
              variant="default"
              px="sm"
              loading={action.isPending}
              aria-label={t(product.is_activated ? 'shop.hideOf' : 'shop.showOf', { name })}
              onClick={() => toggle(product)}
            >
              {t(product.is_activated ? 'shop.hide' : 'shop.show')}
            </Button>
          </Group>
        );
      },
    },
  ];

  return (
    <>
      <div className={classes.head}>
        <AdminTitle title={t('shop.storesTitle')} />
        <Button leftSection={<IconPlus size="1.1em" aria-hidden />} onClick={() => editStore('new')}>
          {t('shop.newStore')}
        </Button>
      </div>
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
            <Button
              leftSection={<IconPlus size="1.1em" aria-hidden />}
              disabled={!stores.data?.length}
              onClick={() => editProduct('new')}
            >
              {t('shop.newProduct')}
            </Button>
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
      <EditDialog edited={editedStore} newTitle={t('shop.newStore')} titleOf={nameOf} onClose={() => editStore(null)}>
        {(one) => <StoreForm store={one} saving={form.isPending} refused={form.error} onSave={saveStore} />}
      </EditDialog>
      <EditDialog
        edited={editedProduct}
        newTitle={t('shop.newProduct')}
        titleOf={nameOf}
        onClose={() => editProduct(null)}
      >
        {(product) =>
          stores.data && (
            <ProductForm
              product={product}
              stores={stores.data}
              saving={form.isPending}
              refused={form.error}
              onSave={saveProduct}
            />
          )
        }
      </EditDialog>
    </>
  );
}
