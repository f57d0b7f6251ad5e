import { Button, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { faqQuery } from '../../api/pages.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { FaqList } from '../../shared/public-pages/FaqList.tsx';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Pages.module.css';

/** Frequently asked questions, as the operators write them. */
export function FaqPage() {
  const { t } = useTranslation('pages');
  const { open } = useUploadDialog();
  const faq = useQuery(faqQuery(currentLanguage()));
  return (
    <div className={classes.page} data-list>
      <DocumentTitle title={t('faq.title')} />
      <Title order={1}>{t('faq.title')}</Title>
      <QueryState query={faq} loading={<Skeleton height="8rem" />} align="flex-start">
        {(entries) => (
          <>
            {entries.length === 0 && <Text c="dimmed">{t('faq.none')}</Text>}
            {entries.length > 0 && <FaqList entries={entries} />}
            <Button onClick={() => open()}>{t('faq.try')}</Button>
          </>
        )}
      </QueryState>
    </div>
  );
}
