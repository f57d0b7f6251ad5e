import { MEDIA_STATUS, ORDER_TYPE, type Order } from '@framelift/contract';
import { Accordion, Stack, Text } from '@mantine/core';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconExclamationCircle from '@tabler/icons-react/icons/IconExclamationCircle';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconProgress from '@tabler/icons-react/icons/IconProgress';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import { useTranslation } from 'react-i18next';
import { usePolledOrder } from '../../api/orders.ts';
import { formatDate, formatDateTime, formatNumber, formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { OrderMedia } from './OrderMedia.tsx';
import classes from './Orders.module.css';

const STATES = {
  processing: IconProgress,
  failed: IconExclamationCircle,
  finished: IconCircleCheck,
  deleted: IconTrash,
  gone: IconTrash,
};

/** Summarises the state of an order; a purchase without media has nothing to convert. */
function stateOf({ type, media }: Order): keyof typeof STATES {
  const left = media.filter(({ status }) => status !== MEDIA_STATUS.deleted);
  if (media.length === 0) return type === ORDER_TYPE.purchased ? 'finished' : 'gone';
  if (left.length === 0) return 'deleted';
  if (left.some(({ status }) => status === MEDIA_STATUS.processing)) return 'processing';
  return left.some(({ status }) => status === MEDIA_STATUS.unable) ? 'failed' : 'finished';
}

/** One order: a summary with its progress; expanded, all details and actions. */
export function OrderCard({ order: listed }: { order: Order }) {
  const { t } = useTranslation('orders');
  const language = currentLanguage();
  const order = usePolledOrder(listed);
  const { id, name, type, date, media } = order;
  const state = stateOf(order);
  const Icon = STATES[state];
  const cover = media.find((one) => one.cover !== null)?.cover;
  const points = order.currency === 'points' && order.costs > 0;
  const costs = t('points', { count: order.costs, number: formatNumber(order.costs, language) });
  const facts: [string, string | undefined][] = [
    [t('fact.type'), t(`type.${type}`)],
    [t('fact.date'), formatDateTime(date, language)],
    [t('fact.costs'), points ? costs : undefined],
    [t('fact.album'), order.product?.album.name],
    [t('fact.subscription'), order.solution_order?.order_id],
    [t('fact.number'), id],
  ];
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <span className={classes.face}>
          <span className={classes.picture}>
            {cover ? <img src={cover} alt="" loading="lazy" decoding="async" /> : <IconPhoto aria-hidden />}
          </span>
          <span className={classes.lines}>
            <Text component="span" fw={500} lineClamp={2} title={name}>
              {name}
            </Text>
            <Text component="span" size="sm" c="dimmed">
              {formatDate(date, language)}
              {points && ` · ${costs}`}
            </Text>
            <Text component="span" size="sm" className={classes.state ?? ''} data-state={state}>
              <Icon size="1.1em" aria-hidden />
              {t(`state.${state}`)}
              {state === 'processing' && ` ${formatPercent(order.progress / 100, language)}`}
            </Text>
          </span>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="md">
          {media.length === 0 && state === 'gone' && <Text>{t('gone')}</Text>}
          {media.map((one) => (
            <OrderMedia key={one.id} media={one} alone={media.length === 1} />
          ))}
          <dl className={classes.facts}>
            {facts.map(
              ([fact, value]) =>
                value !== undefined && (
                  <div key={fact}>
                    <dt>{fact}</dt>
                    <dd>{value}</dd>
                  </div>
                ),
            )}
          </dl>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
