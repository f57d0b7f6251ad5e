import type { UploadLink } from '@framelift/contract';
import { Skeleton, Text, Title } from '@mantine/core';
import IconInbox from '@tabler/icons-react/icons/IconInbox';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { uploadLinksQuery } from '../../api/upload-links.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { LinkRow } from './LinkRow.tsx';
import { NewLinkForm } from './NewLinkForm.tsx';
import classes from './UploadLinks.module.css';

/** The member's links with which others send pictures to them. */
export function UploadLinksPage() {
  const { t } = useTranslation('links');
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <div>
        <Title order={1} ref={heading} tabIndex={-1}>
          {t('title')}
        </Title>
        <Text c="dimmed">{t('text')}</Text>
      </div>
      <NewLinkForm />
      <InfiniteList<UploadLink, HTMLUListElement>
        query={useInfiniteQuery(uploadLinksQuery)}
        loading={<Skeleton className={classes.waiting} />}
        failed={t('failed')}
        empty={
          <div className={classes.empty}>
            <IconInbox size="3rem" stroke={1.2} aria-hidden />
            <Text fw={600}>{t('emptyTitle')}</Text>
            <Text c="dimmed">{t('emptyText')}</Text>
          </div>
        }
        focus="button"
      >
        {(links, place) => (
          <ul ref={place} className={classes.rows}>
            {links.map((link) => (
              <LinkRow key={link.id} link={link} onGone={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </InfiniteList>
    </div>
  );
}
