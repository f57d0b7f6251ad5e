import type { PaymentInfo } from '@framelift/contract';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { productQuery } from '../../api/shop.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { ShowOnFrameButton } from '../../shared/show-on-frame/ShowOnFrameButton.tsx';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { PayAgain } from './PayAgain.tsx';
import type { ResultView } from './result-view.ts';

interface Props {
  readonly payment: PaymentInfo;
  readonly view: ResultView;
  /** Address of the card page in the other tab. */
  readonly page: string | null;
  readonly onCancel: () => void;
  readonly cancelling: boolean;
}

const ORDERS = '/member/order?category=purchase_details';
const SHELVES = {
  product: ['/store', 'result.store'],
  plan: ['/plan', 'result.plans'],
  points: ['/addValue', 'result.packs'],
} as const;

/** What can be done after a payment, or instead of it. */
export function NextSteps({ payment, view, page, onCancel, cancelling }: Props) {
  const { t } = useTranslation('payment');
  const [shelf, shelfText] = SHELVES[payment.kind];
  const link = (to: string, text: string) => (
    <Button component={Link} to={to} variant="default">
      {text}
    </Button>
  );
  const stop = (
    <Button variant="default" loading={cancelling} onClick={onCancel}>
      {t('result.cancel')}
    </Button>
  );
  switch (view) {
    case 'paid':
      return (
        <Group gap="sm">
          <Bought payment={payment} />
          {link(ORDERS, t('yourOrders'))}
        </Group>
      );
    case 'tab':
      return (
        <Group gap="sm">
          <Button component="a" href={page ?? ''} target="_blank" rel="noopener">
            {t('result.tab.open')}
          </Button>
          {stop}
        </Group>
      );
    case 'unpaid':
      return (
        <Group gap="sm">
          <PayAgain payment={payment} />
          {stop}
        </Group>
      );
    case 'code':
      return (
        <Group gap="sm">
          {link(ORDERS, t('yourOrders'))}
          {stop}
        </Group>
      );
    case 'checking':
      return (
        <Group gap="sm">
          {link(ORDERS, t('yourOrders'))}
          {link('/player', t('result.home'))}
        </Group>
      );
    case 'review':
      return (
        <Group gap="sm">
          <PayAgain payment={payment} />
          {link(ORDERS, t('yourOrders'))}
        </Group>
      );
    case 'refunded':
      return (
        <Group gap="sm">
          {link(ORDERS, t('yourOrders'))}
          {link(shelf, t(shelfText))}
        </Group>
      );
    default:
      return (
        <Group gap="sm">
          <PayAgain payment={payment} />
          {link(shelf, t(shelfText))}
        </Group>
      );
  }
}

function Bought({ payment: { kind, product_id } }: { payment: PaymentInfo }) {
  const { t } = useTranslation('payment');
  const { open } = useUploadDialog();
  const { data, isPending } = useQuery({
    ...productQuery(currentLanguage(), product_id ?? 0),
    enabled: product_id !== null,
  });
  const album = data?.album_id;
  if (kind === 'plan') {
    return (
      <Button component={Link} to="/subscribedetail">
        {t('result.plan')}
      </Button>
    );
  }
  if (kind === 'points') {
    return (
      <>
        <Button onClick={() => open()}>{t('result.convert')}</Button>
        <Button component={Link} to="/menu/points" variant="default">
          {t('result.points')}
        </Button>
      </>
    );
  }
  return (
    <>
      <Button component={Link} to={album ? `/album/${album}` : '/album'}>
        {t('result.album')}
      </Button>
      {/* From the beginning, so that nothing moves when the album is known. */}
      {(album || isPending) && <ShowOnFrameButton albumIds={album ? [album] : []} disabled={!album} />}
    </>
  );
}
