import { Button, Select, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaListQuery, mediaSummaryQuery } from '../../api/media.ts';
import classes from './ContentPage.module.css';
import { EmptyContent } from './EmptyContent.tsx';
import { MediaWall } from './MediaWall.tsx';
import { SearchField } from './SearchField.tsx';
import { KINDS, type Kind, SORTS, useLibraryFilter } from './use-library-filter.ts';

/**
 * The member's own media: searched by name, sorted, and filtered by kind. As a section of another page, `after` follows
 * them once they are there, unless something is searched for.
 */
export function ContentPage({ asSection = false, after }: { asSection?: boolean; after?: ReactNode }) {
  const { t } = useTranslation('content');
  const { search, sort, kind, filter, choose } = useLibraryFilter();
  const { data: summary } = useQuery(mediaSummaryQuery(filter));
  const { isPending } = useInfiniteQuery(mediaListQuery(filter));
  // The two kinds of media are a choice only where both exist; the types are those of the specification.
  const hasBoth = (summary?.media_types.length ?? 0) > 1;
  const kinds = KINDS.filter((one) => hasBoth || one === kind || (one !== 'photos' && one !== 'videos'));
  const isFiltered = kind !== 'all' || filter.search !== undefined;

  return (
    <div className={asSection ? classes.section : classes.page}>
      <Title order={asSection ? 2 : 1}>{t('title')}</Title>
      <div className={classes.tools}>
        <div className={classes.search}>
          <SearchField value={search} onChange={(text) => choose({ search: text })} />
        </div>
        <Select
          aria-label={t('type.label')}
          className={classes.choice}
          size="md"
          allowDeselect={false}
          data={kinds.map((value) => ({ value, label: t(`type.${value}`) }))}
          value={kind}
          onChange={(value) => value && choose({ kind: value as Kind })}
        />
        <Select
          aria-label={t('sort.label')}
          className={classes.choice}
          size="md"
          allowDeselect={false}
          data={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
          value={sort}
          onChange={(value) => {
            const chosen = SORTS.find((one) => one === value);
            if (chosen) choose({ sort: chosen });
          }}
        />
      </div>
      <MediaWall
        filter={filter}
        empty={
          filter.search !== undefined ? (
            <Stack align="center">
              <Text>{t('search.nothing', { text: filter.search })}</Text>
              <Button variant="default" onClick={() => choose({ search: '', kind: 'all' })}>
                {t('search.clearAll')}
              </Button>
            </Stack>
          ) : (
            <EmptyContent filtered={isFiltered} />
          )
        }
      />
      {!isPending && !isFiltered && after}
    </div>
  );
}
