import type { LegalText as Legal } from '@framelift/contract';
import { Anchor, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigationType, useSearchParams } from 'react-router';
import { legalTextQuery } from '../../api/pages.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { headingsOf } from '../../shared/markdown/Markdown.tsx';
import { LegalDate, LegalText } from '../../shared/policy/LegalText.tsx';
import { type PolicyName, sectionsOf } from '../../shared/policy/policy-sections.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { useScrollSpy } from '../../ui/use-scroll-spy.ts';
import classes from './PolicyPage.module.css';

/** The privacy policy or the terms, with a table of contents that highlights the section being read. */
export function PolicyPage({ name }: { name: PolicyName }) {
  const { t } = useTranslation('policy');
  const [query] = useSearchParams();
  const at = query.get('at');
  const legal = useQuery(legalTextQuery(name, currentLanguage(), at));
  const going = useNavigationType();
  const shown = useRef(at);
  useEffect(() => {
    if (shown.current === at) return;
    shown.current = at;
    // Another version starts at its top, as another page does: the links to it are at the end.
    if (going !== 'POP') window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [at, going]);
  return (
    <div className={classes.page}>
      <DocumentTitle title={t(`${name}.title`)} />
      <div className={classes.head}>
        <Title order={1}>{t(`${name}.title`)}</Title>
        {/* Keeps its room while it is loading. */}
        {legal.data ? <LegalDate legal={legal.data} /> : <Text>{'\u00a0'}</Text>}
        {legal.data && legal.data.in_force_until !== null && (
          <Text role="status">
            {t('earlier.reading')}{' '}
            <Anchor component={Link} to={`/${name}`} underline="always">
              {t('earlier.current')}
            </Anchor>
          </Text>
        )}
      </div>
      <QueryState
        query={legal}
        loading={<Skeleton height="60rem" className={classes.head ?? ''} />}
        align="flex-start"
        className={classes.head ?? ''}
      >
        {(found) => <Policy name={name} legal={found} />}
      </QueryState>
    </div>
  );
}

function Policy({ name, legal }: { name: PolicyName; legal: Legal }) {
  const { t } = useTranslation('policy');
  const sections =
    legal.content === null
      ? sectionsOf(name).map((id) => ({ id, title: t(`${name}.sections.${id}.title` as 'terms.sections.live.title') }))
      : headingsOf(legal.content, name);
  const current = useScrollSpy(sections.map(({ id }) => id));
  const other = name === 'terms' ? 'privacy' : 'terms';
  return (
    <>
      {sections.length > 0 && (
        <nav className={classes.contents} aria-labelledby="contents">
          <h2 id="contents">{t('contents')}</h2>
          <ul>
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`} {...(id === current ? { 'aria-current': 'location' as const } : {})}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <article className={classes.text}>
        <LegalText name={name} legal={legal} order={2} />
        <Earlier name={name} legal={legal} />
        <Anchor component={Link} to={`/${other}`} className={classes.other ?? ''}>
          {t(`${other}.title`)}
        </Anchor>
      </article>
    </>
  );
}

/** Reads what was in force before operators have published anything. */
const BEGINNING = '1970-01-01T00:00:00Z';

/** The versions that were in force before, each with its days. */
function Earlier({ name, legal: { earlier } }: { name: PolicyName; legal: Legal }) {
  const { t } = useTranslation('policy');
  const day = (time: string) => formatDate(time, currentLanguage());
  if (earlier.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <Title order={2} size="h4" id="earlier">
        {t('earlier.title')}
      </Title>
      <ul className={classes.earlier}>
        {earlier.map(({ in_force_from: from, in_force_until: until }) => (
          <li key={until}>
            <Anchor component={Link} to={`/${name}?at=${from ?? BEGINNING}`}>
              {from === null
                ? t('earlier.until', { until: day(until) })
                : t('earlier.between', { date: day(from), until: day(until) })}
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
}
