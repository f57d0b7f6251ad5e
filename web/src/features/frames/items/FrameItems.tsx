import type { FrameItem, OwnFrame } from '@framelift/contract';
import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import IconPhotoPlus from '@tabler/icons-react/icons/IconPhotoPlus';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { frameItemsQuery, retryFrameItems } from '../../../api/frames.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { isTooFewPoints } from '../../../shared/too-few-points.ts';
import { lazyNamed } from '../../../ui/lazy-named.ts';
import { QueryState } from '../../../ui/QueryState.tsx';
import page from '../FramePage.module.css';
import classes from './FrameItems.module.css';
import { SortableItems } from './SortableItems.tsx';

const AddToFrame = lazyNamed(() => import('./AddToFrame.tsx'), 'AddToFrame');

/** Items change by the frame, which shows them, and by friends, who send some. */
const REFRESH_MS = 10_000;
const SKELETONS = ['a', 'b', 'c'];

/** What a frame plays, in order. */
export function FrameItems({ frame }: { frame: OwnFrame }) {
  const { t } = useTranslation(['frames', 'sorting']);
  const query = useQuery({ ...frameItemsQuery(frame.id), refetchInterval: REFRESH_MS });
  const [adding, setAdding] = useState(false);
  const add = (
    <Button leftSection={<IconPhotoPlus size="1.25rem" aria-hidden />} onClick={() => setAdding(true)}>
      {t('items.add')}
    </Button>
  );
  return (
    <section aria-label={t('tabs.pictures')}>
      <QueryState
        query={query}
        loading={
          <ul className={classes.items} aria-hidden>
            {SKELETONS.map((key) => (
              <li key={key}>
                <Skeleton className={classes.skeleton} />
              </li>
            ))}
          </ul>
        }
        failed={t('items.failed')}
      >
        {(items) =>
          items.length === 0 ? (
            <div className={page.empty}>
              <IconPhotoPlus size="3rem" stroke={1.2} aria-hidden />
              <Title order={2} size="h3">
                {t('items.none')}
              </Title>
              <Text c="dimmed">{t('items.noneText')}</Text>
              {add}
            </div>
          ) : (
            <>
              <div className={classes.head}>
                <Text c="dimmed">
                  {t('items.count', { count: items.length, number: formatNumber(items.length, currentLanguage()) })}
                </Text>
                {add}
              </div>
              <Failed frame={frame} items={items} />
              <SortableItems frame={frame} items={items} />
            </>
          )
        }
      </QueryState>
      <Suspense fallback={null}>{adding && <AddToFrame frame={frame} onClosed={() => setAdding(false)} />}</Suspense>
    </section>
  );
}

/** Offers to try again what could not be prepared. */
function Failed({ frame, items }: { frame: OwnFrame; items: readonly FrameItem[] }) {
  const { t } = useTranslation('frames');
  const { t: common } = useTranslation();
  const retry = useMutation(retryFrameItems(frame.id));
  const failed = items.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return null;
  // What friends sent is converted with their points.
  const lacksPoints = failed.some(({ sender, failure }) => sender === null && isTooFewPoints(failure?.code ?? ''));
  return (
    <div className={classes.failedNote} role="status">
      <Text size="sm">{t('items.someFailed', { count: failed.length })}</Text>
      <Group gap="sm">
        {lacksPoints && (
          <Button component={Link} to="/addValue" variant="default">
            {common('buyPoints')}
          </Button>
        )}
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          {common('retry')}
        </Button>
      </Group>
    </div>
  );
}
