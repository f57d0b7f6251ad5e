import { sharedTitle } from '@framelift/contract';
import { Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { sharedMediaQuery } from '../../api/shares.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { TryAgain } from '../../ui/QueryState.tsx';
import classes from './Shared.module.css';
import { SharedStage } from './SharedStage.tsx';

/** A shared picture alone, for a frame on another website. Links open a new window: nothing else is shown in the frame. */
export function EmbedPage() {
  const { t } = useTranslation('share');
  const { token = '' } = useParams();
  const { data, isError, error, isFetching, refetch } = useQuery(sharedMediaQuery(token));
  const gone = isCallError(error) && (error.status === 404 || error.status === 400);
  const name = data ? sharedTitle(data.name) : '';
  return (
    <main className={classes.embed}>
      <DocumentTitle title={data ? name : t('page.goneTitle')} />
      {data && (
        <VisuallyHidden>
          <h1>{name}</h1>
        </VisuallyHidden>
      )}
      {data && <SharedStage media={data} mode="parallax" />}
      {gone && (
        <Title order={1} size="h3">
          {t('page.goneTitle')}
        </Title>
      )}
      {isError && !gone && <TryAgain query={{ isError, error, isFetching, refetch }} text={t('page.failed')} />}
      {data && (
        <a
          className={classes.badge}
          href={`/s/${token}`}
          target="_blank"
          rel="noopener"
          aria-label={t('page.open', { name })}
        >
          <Logo />
        </a>
      )}
    </main>
  );
}
