import { htmlLangOf, type Language } from '@framelift/contract';
import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/index.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import classes from './Pages.module.css';

const PARTS = ['what', 'how', 'open', 'service'] as const;

/** About the company: always in Chinese, preceded by a version in the user's own language. */
export function AboutPage() {
  const language = currentLanguage();
  const { t } = useTranslation('pages');
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('about.title')} />
      <AboutText language={language} order={1} />
      {language !== 'zh' && (
        <section aria-labelledby="chinese" className={classes.chinese}>
          <Text c="dimmed" size="sm" id="chinese">
            {t('about.chinese')}
          </Text>
          <AboutText language="zh" order={2} />
        </section>
      )}
    </div>
  );
}

function AboutText({ language, order }: { language: Language; order: 1 | 2 }) {
  const { t } = useTranslation('pages', { lng: language });
  return (
    <div className={classes.about} lang={htmlLangOf(language)}>
      <Title order={order}>{t('about.title')}</Title>
      <Text className={classes.lead}>{t('about.lead')}</Text>
      {PARTS.map((part) => (
        <section key={part}>
          <Title order={order === 1 ? 2 : 3} size="h4">
            {t(`about.${part}.title`)}
          </Title>
          <Text c="dimmed">{t(`about.${part}.text`)}</Text>
        </section>
      ))}
    </div>
  );
}
