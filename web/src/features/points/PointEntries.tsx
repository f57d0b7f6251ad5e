import type { PointEntry, PointKind } from '@framelift/contract';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import IconCoins from '@tabler/icons-react/icons/IconCoins';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { pointEntriesQuery } from '../../api/points.ts';
import { formatDateTime, formatNumber, formatSigned } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import classes from './Points.module.css';

const SKELETONS = ['a', 'b', 'c', 'd'];

/** The changes of the member's points of one kind, or of both, newest first. */
export function PointEntries({ kind }: { kind: PointKind | null }) {
  const { t } = useTranslation('points');
  const list = useInfiniteQuery(pointEntriesQuery(kind, currentLanguage()));
  return (
    <InfiniteList<PointEntry, HTMLUListElement>
      query={list}
      loading={
        <div className={classes.entries} aria-hidden>
          {SKELETONS.map((key) => (
            <Skeleton key={key} className={classes.skeleton} />
          ))}
        </div>
      }
      failed={t('failed')}
      className={classes.note ?? ''}
      empty={
        <Stack align="center" gap="xs" className={classes.note}>
          <IconCoins size="3rem" stroke={1.2} aria-hidden />
          <Title order={3}>{t('empty.title')}</Title>
          <Text c="dimmed">{t('empty.text')}</Text>
        </Stack>
      }
      shown={(count) => t('shown', { count })}
    >
      {(entries, place) => (
        <ul ref={place} className={classes.entries}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </InfiniteList>
  );
}

function Entry({ entry: { kind, amount, balance, title, note, date } }: { entry: PointEntry }) {
  const { t } = useTranslation('points');
  const language = currentLanguage();
  return (
    <li className={classes.entry} tabIndex={-1}>
      <div className={classes.about}>
        <Text fw={500}>{title}</Text>
        {note !== '' && <Text lineClamp={2}>{note}</Text>}
        <Text size="sm" c="dimmed">
          {formatDateTime(date, language)}
        </Text>
      </div>
      <div className={classes.amount}>
        <Text className="tabular" fw={600} data-added={amount > 0 || undefined}>
          {formatSigned(amount, language)}
        </Text>
        <Text size="sm" c="dimmed" className="tabular">
          {t(kind)} · {t('balance', { number: formatNumber(balance, language) })}
        </Text>
      </div>
    </li>
  );
}
