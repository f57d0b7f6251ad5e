import { Anchor, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PolicyText } from '../../shared/policy/PolicyText.tsx';
import { type PolicyName, sectionsOf } from '../../shared/policy/policy-sections.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { useScrollSpy } from '../../ui/use-scroll-spy.ts';
import classes from './PolicyPage.module.css';

/** The privacy policy or the terms, with a table of contents that highlights the section being read. */
export function PolicyPage({ name }: { name: PolicyName }) {
  const { t } = useTranslation('policy');
  const sections = sectionsOf(name);
  const current = useScrollSpy(sections);
  const other = name === 'terms' ? 'privacy' : 'terms';
  return (
    <div className={classes.page}>
      <DocumentTitle title={t(`${name}.title`)} />
      <div className={classes.head}>
        <Title order={1}>{t(`${name}.title`)}</Title>
        <Text c="dimmed">{t('updated')}</Text>
      </div>
      <nav className={classes.contents} aria-labelledby="contents">
        <h2 id="contents">{t('contents')}</h2>
        <ul>
          {sections.map((id) => (
            <li key={id}>
              <a href={`#${id}`} {...(id === current ? { 'aria-current': 'location' as const } : {})}>
                {t(`${name}.sections.${id}.title` as 'terms.sections.live.title')}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <article className={classes.text}>
        <PolicyText name={name} order={2} />
        <Anchor component={Link} to={`/${other}`} className={classes.other ?? ''}>
          {t(`${other}.title`)}
        </Anchor>
      </article>
    </div>
  );
}
