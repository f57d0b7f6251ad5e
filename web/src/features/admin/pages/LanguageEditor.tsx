import { htmlLangOf, LANGUAGES, type Language } from '@framelift/contract';
import { SegmentedControl, Tabs, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Pages.module.css';

interface Props {
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  /** Languages without a text, and why, which is told beside their names. */
  readonly missing: ReadonlyMap<Language, string>;
  readonly fields: (language: Language) => ReactNode;
  /** What visitors see who read this language. */
  readonly preview: (language: Language) => ReactNode;
}

/** Fields of one language at a time, with what visitors see of them: beside them on a wide screen, else by a switch. */
export function LanguageEditor({ language, onLanguage, missing, fields, preview }: Props) {
  const { t } = useTranslation('adminPages');
  const [view, setView] = useState<'write' | 'preview'>('write');
  return (
    <div>
      <Tabs value={language} onChange={(code) => onLanguage(code as Language)} keepMounted={false}>
        <Tabs.List aria-label={t('languages')}>
          {LANGUAGES.map(({ code, name, htmlLang }) => (
            <Tabs.Tab key={code} value={code}>
              <span className={classes.tab}>
                <span lang={htmlLang}>{name}</span>
                {missing.has(code) && <IconAlertTriangle size="1.125rem" role="img" aria-label={missing.get(code)} />}
              </span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <SegmentedControl
          className={classes.switch ?? ''}
          mt="md"
          fullWidth
          size="md"
          aria-label={t('view')}
          value={view}
          onChange={(value) => setView(value as typeof view)}
          data={[
            { value: 'write', label: t('write') },
            { value: 'preview', label: t('preview') },
          ]}
        />
        {LANGUAGES.map(({ code }) => (
          <Tabs.Panel key={code} value={code}>
            <div className={classes.sides} data-view={view}>
              <div className={classes.fields}>
                {missing.has(code) && (
                  <Text size="sm" c="dimmed">
                    {missing.get(code)}
                  </Text>
                )}
                {fields(code)}
              </div>
              <section className={classes.preview} aria-label={t('preview')}>
                <Text size="sm" c="dimmed">
                  {t('previewHint')}
                </Text>
                <div className={classes.paper} lang={htmlLangOf(code)}>
                  {preview(code)}
                </div>
              </section>
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}
