import type { Product, Solution } from '@framelift/contract';
import { Button, Menu, Skeleton, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePriceText } from '../../shared/purchase/price.ts';
import { ActionMenu } from '../../ui/ActionMenu.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { plansOf } from './plan-choice.ts';
import classes from './Store.module.css';
import { StoreIcon } from './StoreIcon.tsx';
import type { useProductAddress } from './use-product-address.ts';

const DepthView = lazyNamed(() => import('../../shared/depth-view/DepthView.tsx'), 'DepthView');

interface Props {
  readonly product: Product;
  /** What all products are sold for; undefined until it is known. */
  readonly solutions: readonly Solution[] | undefined;
  /** It could not be loaded. */
  readonly isPriceMissing: boolean;
  /** No money moves. */
  readonly isTest: boolean;
  readonly address: ReturnType<typeof useProductAddress>;
}

/** Card of a product. Its picture, its name and its menu lead to the product. */
export function ProductCard({ product, solutions, isPriceMissing, isTest, address }: Props) {
  const { t } = useTranslation('store');
  const { id, name, store, hasFree, isSubscribed } = product;
  const action = t(isSubscribed ? 'open' : hasFree ? 'getIt' : 'buy');
  return (
    <li className={classes.card}>
      <div className={classes.by}>
        <StoreIcon store={store} />
        <Text component="span" size="sm" c="dimmed" lineClamp={1}>
          {store.name}
        </Text>
      </div>
      <Link
        to={address.addressOf(id, 'buy')}
        className={classes.link}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          void address.open(id, 'buy');
        }}
      >
        <Cover product={product} />
        <Text component="span" fw={600} lineClamp={2}>
          {name}
        </Text>
      </Link>
      <Price product={product} solutions={solutions} isPriceMissing={isPriceMissing} />
      {isTest && (
        <Text size="xs" c="dimmed">
          {t('testOnly')}
        </Text>
      )}
      <ActionMenu width="target" position="bottom-start">
        <Menu.Target>
          <Button
            variant="light"
            className={classes.buy ?? ''}
            rightSection={<IconChevronDown size="1.1em" aria-hidden />}
            aria-label={t('menuOf', { action, name })}
          >
            {action}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void address.open(id, 'buy')}>
            {hasFree && !isSubscribed ? t('saveToFrame') : action}
          </Menu.Item>
          <Menu.Item onClick={() => void address.open(id, 'preview')}>{t('preview')}</Menu.Item>
        </Menu.Dropdown>
      </ActionMenu>
    </li>
  );
}

function Price({ product, solutions, isPriceMissing }: Pick<Props, 'product' | 'solutions' | 'isPriceMissing'>) {
  const { t } = useTranslation('store');
  const priceText = usePriceText();
  if (product.isSubscribed) {
    return (
      <Text size="sm" className={classes.mine ?? ''}>
        <IconCircleCheck size="1.1em" aria-hidden />
        {t('yours')}
      </Text>
    );
  }
  if (product.hasFree) return <Text size="sm">{t('free')}</Text>;
  if (!solutions && isPriceMissing) {
    return (
      <Text size="sm" c="dimmed">
        {t('priceMissing')}
      </Text>
    );
  }
  if (!solutions) return <Skeleton className={classes.line} />;
  const plans = plansOf(solutions, product).toSorted((one, other) => one.costs - other.costs);
  const [cheapest] = plans;
  if (!cheapest) return <Text size="sm">{t('noOffers')}</Text>;
  const price = priceText(cheapest);
  return <Text size="sm">{plans.length > 1 ? t('from', { price }) : price}</Text>;
}

/** The first cover. Under a pointer it is live in 3D. */
function Cover({ product }: Pick<Props, 'product'>) {
  const { t } = useTranslation('store');
  const [first] = product.media;
  const canHover = useMediaQuery('(hover: hover) and (prefers-reduced-motion: no-preference)', false);
  const [over, setOver] = useState(false);
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null);
  return (
    <span className={classes.cover} onPointerEnter={() => setOver(true)} onPointerLeave={() => setOver(false)}>
      {first?.cover ? (
        <img
          src={first.cover}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
        />
      ) : (
        <IconPhoto aria-hidden />
      )}
      {over && canHover && first?.preview && size && (
        <span className={classes.live} aria-hidden inert>
          <Suspense fallback={null}>
            <DepthView className={classes.fill ?? ''} parts={first.preview} size={size} label="" />
          </Suspense>
        </span>
      )}
      <span className={classes.quantity}>{t('quantity', { count: product.quantity })}</span>
    </span>
  );
}
