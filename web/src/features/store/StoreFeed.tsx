import { Skeleton, Stack, Text, Title } from '@mantine/core';
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { productListQuery, productSolutionsQuery, storesQuery } from '../../api/shop.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { InfiniteGrid } from '../../ui/InfiniteGrid.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { TryAgain } from '../../ui/QueryState.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { ProductCard } from './ProductCard.tsx';
import classes from './Store.module.css';
import { StoreRow } from './StoreRow.tsx';
import { useProductAddress } from './use-product-address.ts';

const ProductDialog = lazyNamed(() => import('./ProductDialog.tsx'), 'ProductDialog');

/**
 * The feed of what is on show: the stores and their products. As a section of another page it has a heading, and appears
 * once there is something to show.
 */
export function StoreFeed({ asSection = false }: { asSection?: boolean }) {
  const { t } = useTranslation('store');
  const language = currentLanguage();
  const [query, setQuery] = useSearchParams();
  const address = useProductAddress();
  const wanted = query.get('store') ?? '';
  const chosen = /^[1-9]\d{0,8}$/.test(wanted) ? Number(wanted) : null;
  const { data: config } = useQuery(configQuery);
  const stores = useQuery(storesQuery(language));
  const products = useInfiniteQuery(productListQuery(language, chosen));
  const solutions = useQuery(productSolutionsQuery(language));
  useReturnFocus(address.id !== null);

  const choose = (store: number | null) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (store === null) next.delete('store');
        else next.set('store', String(store));
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const isEmpty = products.isSuccess && chosen === null && products.data.pages[0]?.data.length === 0;
  // Without stores the room for them goes together with that for their products, so that nothing moves.
  const awaitsStores = !isEmpty && (stores.isPending || (stores.data?.length === 0 && products.isPending));
  const isHidden = asSection && (isEmpty || ((products.isPending || stores.isPending) && chosen === null));
  return (
    <>
      {!isHidden && (
        <section className={classes.feed} aria-labelledby={asSection ? 'store-feed' : undefined}>
          {asSection && (
            <Title order={2} id="store-feed">
              {t('section')}
            </Title>
          )}
          {awaitsStores && <Skeleton className={classes.storesRoom} />}
          {stores.isError && !stores.data && <TryAgain query={stores} text={t('storesFailed')} />}
          {products.isSuccess && solutions.isError && !solutions.data && (
            <TryAgain query={solutions} text={t('pricesFailed')} />
          )}
          {stores.data && stores.data.length > 0 && !isEmpty && (
            <StoreRow stores={stores.data} chosen={chosen} onChoose={choose} />
          )}
          <InfiniteGrid
            query={products}
            shape="wide"
            failed={t('failed')}
            shown={(count) => t('shown', { count })}
            empty={
              <Stack align="center">
                <IconBuildingStore size="3rem" stroke={1.2} aria-hidden />
                <Title order={2} size="h3">
                  {t(chosen === null ? 'emptyTitle' : 'emptyStoreTitle')}
                </Title>
                <Text c="dimmed">{t('emptyText')}</Text>
              </Stack>
            }
          >
            {(product) => (
              <ProductCard
                key={product.id}
                product={product}
                solutions={solutions.data}
                isPriceMissing={solutions.isError}
                isTest={config?.sandbox ?? false}
                address={address}
              />
            )}
          </InfiniteGrid>
        </section>
      )}
      <Suspense fallback={null}>
        {address.id !== null && <ProductDialog key={address.id} id={address.id} address={address} />}
      </Suspense>
    </>
  );
}
