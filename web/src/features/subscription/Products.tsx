import type { Album, SubscriptionInfo } from '@framelift/contract';
import { Button, Group, Text, Title } from '@mantine/core';
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { allAlbumsQuery } from '../../api/albums.ts';
import { configQuery } from '../../api/config.ts';
import { dropProduct, saveProduct } from '../../api/shop.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showToast } from '../../ui/toasts.ts';
import classes from './Subscriptions.module.css';

/** The products that the member has. */
export function Products({ products }: { products: readonly SubscriptionInfo[] }) {
  const { t } = useTranslation('subscription');
  const { data: config } = useQuery(configQuery);
  const { data: albums } = useQuery({ ...allAlbumsQuery, enabled: products.length > 0 });
  const heading = useRef<HTMLHeadingElement>(null);
  const albumOf = (id: number | null) => albums?.find(({ product }) => product?.id === id);
  return (
    <section aria-labelledby="products" className={classes.section}>
      <Title order={2} size="h3" id="products" ref={heading} tabIndex={-1}>
        {t('products.title')}
      </Title>
      {products.length === 0 ? (
        <div className={classes.empty}>
          <IconBuildingStore size="2.5rem" stroke={1.2} aria-hidden />
          <Title order={3} size="h4">
            {t('products.none')}
          </Title>
          <Text c="dimmed">{t('products.noneText')}</Text>
          {config?.features.store === 'on' && (
            <Button component={Link} to="/store" variant="default">
              {t('products.store')}
            </Button>
          )}
        </div>
      ) : (
        <ul className={classes.rows}>
          {products.map((one) => (
            <ProductRow
              key={one.id}
              product={one}
              album={albumOf(one.product_id)}
              onGone={() => heading.current?.focus()}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface RowProps {
  readonly product: SubscriptionInfo;
  readonly album: Album | undefined;
  /** The row is about to disappear, with the focus in it. */
  readonly onGone: () => void;
}

function ProductRow({ product, album, onGone }: RowProps) {
  const { t } = useTranslation('subscription');
  const { name, product_id: id, paid_until, state } = product;
  const dropping = useMutation(dropProduct);
  const saving = useMutation(saveProduct);
  const isFree = product.offer_id === null && paid_until === null;
  const restore = (productId: number) =>
    saving.mutateAsync(productId).then(
      () => showToast({ kind: 'success', text: t('products.restored', { name }) }),
      () => {},
    );
  const remove = (productId: number) =>
    dropping.mutateAsync(productId).then(
      () => {
        onGone();
        const action = { label: t('cancelling.undo'), run: () => void restore(productId) };
        showToast({ kind: 'info', text: t('products.removed', { name }), action });
      },
      () => {},
    );
  const lasts = () => {
    if (state === 'pending') return t('products.pending');
    return paid_until === null
      ? t('products.free')
      : t('products.until', { date: formatDate(paid_until, currentLanguage()) });
  };
  return (
    <li className={classes.row}>
      <span className={classes.cover}>
        {album?.cover ? <img src={album.cover} alt="" loading="lazy" decoding="async" /> : <IconPhoto aria-hidden />}
      </span>
      <div className={classes.about}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {lasts()}
        </Text>
      </div>
      <Group gap="xs" className={classes.actions ?? ''}>
        {album && (
          <Button
            component={Link}
            to={`/album/${album.id}`}
            variant="default"
            aria-label={`${t('products.open')}: ${name}`}
          >
            {t('products.open')}
          </Button>
        )}
        {isFree && id !== null && (
          <Button
            variant="subtle"
            color="gray"
            aria-label={`${t('products.remove')}: ${name}`}
            loading={dropping.isPending}
            onClick={() => void remove(id)}
          >
            {t('products.remove')}
          </Button>
        )}
      </Group>
    </li>
  );
}
