import { LIMITS } from '@framelift/contract';
import { Accordion, Button, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import classes from './Pages.module.css';

const PAIRS = ['convert', 'frame'] as const;
const NUMBERS = { megabytes: LIMITS.uploadBytes / 1024 / 1024 };

/** Frequently asked questions; each answer expands below its question. */
export function FaqPage() {
  const { t } = useTranslation('pages');
  const { open } = useUploadDialog();
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('faq.title')} />
      <Title order={1}>{t('faq.title')}</Title>
      <Accordion order={2} variant="separated" multiple className={classes.wide ?? ''}>
        {PAIRS.map((pair) => (
          <Accordion.Item key={pair} value={pair}>
            <Accordion.Control>{t(`faq.${pair}.question`)}</Accordion.Control>
            <Accordion.Panel>
              <Text>{t(`faq.${pair}.answer`, NUMBERS)}</Text>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <Button onClick={() => open()}>{t('faq.try')}</Button>
    </div>
  );
}
