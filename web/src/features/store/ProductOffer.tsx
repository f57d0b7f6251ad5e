import type { Product, Solution } from '@framelift/contract';
import { Button, Group, Text, Title } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { leaveGuestMode, useSession } from '../../api/session.ts';
import { dropProduct, saveProduct } from '../../api/shop.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { BuyButton } from '../../shared/purchase/BuyButton.tsx';
import { PayingClosed } from '../../shared/purchase/PayingClosed.tsx';
import { ShowOnFrameButton } from '../../shared/show-on-frame/ShowOnFrameButton.tsx';
import { endGuide } from '../../shared/tutorial/guides.ts';
import { showToast } from '../../ui/toasts.ts';
import { Carousel } from './Carousel.tsx';
import { PlanPicker } from './PlanPicker.tsx';
import classes from './ProductDialog.module.css';
import { plansOf } from './plan-choice.ts';
import type { useProductAddress } from './use-product-address.ts';

interface Props {
  readonly product: Product;
  readonly solutions: readonly Solution[];
  readonly address: ReturnType<typeof useProductAddress>;
  readonly onClose: () => void;
}

/** The way to a product for everybody who is no member yet: after it they are back at the product. */
function Entrance({ product }: { product: number }) {
  const { t } = useTranslation('store');
  const { kind } = useSession();
  const queries = useQueryClient();
  if (kind === 'unconfirmed') {
    return (
      <Button component={Link} to="/confirmation">
        {t('confirmAddress')}
      </Button>
    );
  }
  const back = encodeURIComponent(`/store?product=${product}`);
  // A guest's session would keep them from both pages. What they have uploaded follows them.
  const leave = () => kind === 'guest' && leaveGuestMode(queries);
  return (
    <>
      <Button component={Link} to={`/register?redirect=${back}`} variant="default" onClick={leave}>
        {t('register')}
      </Button>
      <Button component={Link} to={`/login?redirect=${back}`} onClick={leave}>
        {t('login')}
      </Button>
    </>
  );
}

/** What a product shows and costs, and what can be done about it. In preview mode the pictures alone. */
export function ProductOffer({ product, solutions, address, onClose }: Props) {
  const { t } = useTranslation('store');
  const { id, name, content, quantity, hasFree } = product;
  const session = useSession();
  const { data: config } = useQuery(configQuery);
  const plans = plansOf(solutions, product);
  const saving = useMutation(saveProduct);
  const dropping = useMutation(dropProduct);
  /** Id of an offer; null is the first one. Closing the dialog forgets it. */
  const [planId, choose] = useState<number | null>(null);
  const chosen = plans.find((plan) => plan.id === planId) ?? plans[0];
  const isPreview = address.mode === 'preview';
  const isMine = product.isSubscribed;
  // The button that saved it goes, with the focus.
  const mine = useRef<HTMLParagraphElement>(null);
  const isSaved = isMine && saving.isSuccess;
  useEffect(() => {
    if (isSaved) mine.current?.focus();
  }, [isSaved]);

  const drop = () =>
    dropping.mutateAsync(id).then(
      () => showToast({ kind: 'info', text: t('dropped', { name }) }),
      () => {},
    );
  const save = () =>
    saving.mutate(id, {
      onSuccess: () => {
        // Whoever has saved something needs no guide to saving any more.
        if (session.kind === 'member') endGuide(session.user.id, 'saveImageGuide');
        showToast({
          kind: 'success',
          text: t('saved', { name }),
          action: { label: t('undoSave'), run: () => void drop() },
        });
      },
    });

  const state = () => {
    if (isMine) {
      return (
        <Text className={classes.mine ?? ''} role="status" ref={mine} tabIndex={-1}>
          <IconCircleCheck size="1.25em" aria-hidden />
          {product.paid_until === null
            ? t('yours')
            : t('yoursUntil', { date: formatDate(product.paid_until, currentLanguage()) })}
        </Text>
      );
    }
    if (isPreview) return null;
    if (hasFree) return <Text fw={600}>{t('free')}</Text>;
    if (plans.length === 0) return <Text>{t('noOffers')}</Text>;
    return <PlanPicker plans={plans} product={name} chosen={chosen?.id ?? null} onChoose={choose} />;
  };
  const action = () => {
    if (isMine && session.kind === 'member') {
      return (
        product.album_id !== null && (
          <>
            <Button component={Link} to={`/album/${product.album_id}`} variant="default">
              {t('openAlbum')}
            </Button>
            <ShowOnFrameButton albumIds={[product.album_id]} variant="filled" />
          </>
        )
      );
    }
    if (isPreview) {
      return <Button onClick={() => void address.changeMode(id, 'buy')}>{t(hasFree ? 'getIt' : 'buy')}</Button>;
    }
    if (session.kind !== 'member') return <Entrance product={id} />;
    if (hasFree) {
      return (
        <Button onClick={save} loading={saving.isPending}>
          {t('saveToFrame')}
        </Button>
      );
    }
    return (
      chosen && (
        <BuyButton solution={chosen} name={name}>
          {t('buy')}
        </BuyButton>
      )
    );
  };
  const isForSale = !isMine && !isPreview && plans.length > 0;
  return (
    <>
      <div className={classes.layout}>
        <Carousel product={product} />
        <div className={classes.details}>
          <div>
            <Title order={3} className={classes.name ?? ''}>
              {name}
            </Title>
            <Text size="sm" c="dimmed">
              {t('quantity', { count: quantity })}
            </Text>
          </div>
          {content && <Text className={classes.content ?? ''}>{content}</Text>}
          {state()}
          {config?.sandbox && (
            <Text size="sm" c="dimmed">
              {t('testOnly')}
            </Text>
          )}
        </div>
      </div>
      <div className={classes.foot}>
        {isForSale && <PayingClosed />}
        <Group gap="sm" className={classes.buttons ?? ''}>
          <Button variant="default" onClick={onClose}>
            {t(isMine ? 'done' : 'cancel')}
          </Button>
          {action()}
        </Group>
      </div>
    </>
  );
}
