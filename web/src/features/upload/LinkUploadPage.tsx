import { Title } from '@mantine/core';
import IconUnlink from '@tabler/icons-react/icons/IconUnlink';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { openLinkQuery } from '../../api/upload-links.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { TryAgain } from '../../ui/QueryState.tsx';
import classes from './LinkUpload.module.css';
import { LinkUpload } from './LinkUpload.tsx';

/** Page of an upload link: somebody without an account sends pictures to the member who made it. */
export function LinkUploadPage() {
  const { t } = useTranslation('links');
  const { token = '' } = useParams();
  const link = useQuery({ ...openLinkQuery(token), retry: false, staleTime: Number.POSITIVE_INFINITY });
  const { data, error } = link;
  if (data) {
    return (
      <div className={classes.page}>
        <DocumentTitle title={t('send.title', { owner: data.owner })} />
        {data.left === 0 ? (
          <Over text={t('send.full', { owner: data.owner })} />
        ) : (
          <LinkUpload token={token} link={data} />
        )}
      </div>
    );
  }
  const isOver = isCallError(error) && [400, 404, 410].includes(error.status);
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('send.over')} />
      {isOver ? <Over text={error.message} /> : link.isError ? <TryAgain query={link} /> : <PageSkeleton />}
    </div>
  );
}

function Over({ text }: { text: string }) {
  const { t } = useTranslation('links');
  return (
    <div className={classes.note} role="alert">
      <IconUnlink size="3rem" stroke={1.2} aria-hidden />
      <Title order={1} size="h2">
        {t('send.over')}
      </Title>
      <p>{text}</p>
      <Link to="/" className={classes.link ?? ''}>
        {t('send.home')}
      </Link>
    </div>
  );
}
