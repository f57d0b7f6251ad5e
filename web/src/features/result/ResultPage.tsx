import { ActionIcon, Button } from '@mantine/core';
import IconArrowsMaximize from '@tabler/icons-react/icons/IconArrowsMaximize';
import IconChevronLeft from '@tabler/icons-react/icons/IconChevronLeft';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { mediaSummaryQuery } from '../../api/media.ts';
import { fromList, useListAround } from '../../shared/media-list-state.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './ResultView.module.css';
import { ResultView } from './ResultView.tsx';

const MediaViewer = lazyNamed(() => import('../../shared/media-viewer/MediaViewer.tsx'), 'MediaViewer');

/** /result/:id, with ways to the previous and the next one of the list that the member came from. */
export function ResultPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  return (
    <div className={classes.page}>
      <Browse id={id} />
      <ResultView key={id} id={id} onGone={() => void navigate('/menu/video', { replace: true })} />
    </div>
  );
}

function Browse({ id }: { id: string }) {
  const { t } = useTranslation('viewer');
  const navigate = useNavigate();
  const { list, items, index, previous, next } = useListAround(id);
  const [viewing, setViewing] = useState(false);
  const { data: summary } = useQuery({ ...mediaSummaryQuery(list), enabled: viewing });
  // "Back" leads to the list, not through every picture that was looked at.
  const show = (other: string) => navigate(`/result/${other}`, { replace: true, state: fromList(list) });
  const step = (other: { readonly id: string } | undefined, label: string, Icon: typeof IconChevronLeft) =>
    other ? (
      <ActionIcon component={Link} to={`/result/${other.id}`} replace state={fromList(list)} aria-label={label}>
        <Icon aria-hidden />
      </ActionIcon>
    ) : (
      <ActionIcon disabled aria-label={label}>
        <Icon aria-hidden />
      </ActionIcon>
    );
  return (
    <nav className={classes.browse} aria-label={t('browse')}>
      <Button
        component={Link}
        to={list.album === undefined ? '/menu/video' : `/album/${list.album}`}
        variant="subtle"
        color="gray"
        className={classes.back ?? ''}
      >
        {t(list.album === undefined ? 'back' : 'backToAlbum')}
      </Button>
      {step(previous, t('previous'), IconChevronLeft)}
      {step(next, t('next'), IconChevronRight)}
      <ActionIcon aria-label={t('fullScreen')} disabled={index < 0} onClick={() => setViewing(true)}>
        <IconArrowsMaximize size="1.25rem" aria-hidden />
      </ActionIcon>
      <Suspense fallback={null}>
        {viewing && (
          <MediaViewer
            items={items}
            total={summary?.total ?? items.length}
            start={id}
            onClosed={(shown) => {
              setViewing(false);
              if (shown !== id) void show(shown);
            }}
          />
        )}
      </Suspense>
    </nav>
  );
}
