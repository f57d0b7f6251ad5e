import { Modal, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { productQuery, productSolutionsQuery } from '../../api/shop.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { TryAgain } from '../../ui/QueryState.tsx';
import { hasOpenDialog } from '../../ui/use-modal-history.ts';
import classes from './ProductDialog.module.css';
import { ProductOffer } from './ProductOffer.tsx';
import { StoreIcon } from './StoreIcon.tsx';
import type { useProductAddress } from './use-product-address.ts';

interface Props {
  readonly id: number;
  readonly address: ReturnType<typeof useProductAddress>;
}

/** The dialog of one product. It is open as long as the address names the product, so it has no entry of its own. */
export function ProductDialog({ id, address }: Props) {
  const { t } = useTranslation('store');
  const { t: common } = useTranslation();
  const language = currentLanguage();
  const isPhone = useMediaQuery('(width < 48em)', false, { getInitialValueInEffect: false });
  const product = useQuery(productQuery(language, id));
  const solutions = useQuery(productSolutionsQuery(language));
  const close = () => void address.close();

  const content = () => {
    if (product.data && solutions.data) {
      return <ProductOffer product={product.data} solutions={solutions.data} address={address} onClose={close} />;
    }
    const failed = product.isError ? product : solutions.isError ? solutions : null;
    if (!failed) {
      return (
        <div className={classes.layout} role="status" aria-label={common('loading')}>
          <Skeleton className={classes.stageRoom} />
          <Stack gap="sm">
            <Skeleton height="1.75rem" width="70%" />
            <Skeleton height="4rem" />
            <Skeleton height="4rem" />
          </Stack>
        </div>
      );
    }
    if (isCallError(failed.error) && (failed.error.status === 404 || failed.error.status === 400)) {
      return (
        <Text role="alert" className={classes.note ?? ''}>
          {t('gone')}
        </Text>
      );
    }
    return <TryAgain query={failed} text={t('productFailed')} className={classes.note ?? ''} />;
  };
  const store = product.data?.store;
  return (
    // Not centred: it would move while its content grows.
    <Modal.Root opened onClose={() => hasOpenDialog() || close()} size="58rem" fullScreen={isPhone} returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content>
        {/* Not a landmark: the page already has a header. */}
        <Modal.Header role="none">
          <Modal.Title>
            <span className={classes.store}>
              {store ? (
                <>
                  <StoreIcon store={store} />
                  <span>{store.name}</span>
                </>
              ) : (
                <>
                  <VisuallyHidden>{t('title')}</VisuallyHidden>
                  <Skeleton width="9rem" height="1.75rem" />
                </>
              )}
            </span>
          </Modal.Title>
          <Modal.CloseButton size="lg" aria-label={common('close')} />
        </Modal.Header>
        <Modal.Body className={classes.body ?? ''}>{content()}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
