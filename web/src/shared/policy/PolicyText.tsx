import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './PolicyText.module.css';
import { POLICY_NUMBERS, type PolicyName, PRIVACY, TERMS } from './policy-sections.ts';

/** The sections of the privacy policy or of the terms. `order` is the level of their headings. */
export function PolicyText({ name, order }: { name: PolicyName; order: 2 | 4 }) {
  const { t } = useTranslation('policy');
  const section = (id: string, title: string, content: ReactNode) => (
    <section key={id} id={id} className={classes.section} aria-labelledby={`${id}-title`}>
      <Title order={order} size={order === 2 ? 'h3' : 'h5'} id={`${id}-title`}>
        {title}
      </Title>
      {content}
    </section>
  );
  if (name === 'privacy')
    return PRIVACY.map((id) =>
      section(id, t(`privacy.sections.${id}.title`), <p>{t(`privacy.sections.${id}.text`, POLICY_NUMBERS)}</p>),
    );
  return (Object.keys(TERMS) as (keyof typeof TERMS)[]).map((id) =>
    section(
      id,
      t(`terms.sections.${id}.title`),
      <ul>
        {TERMS[id].map((sentence) => (
          <li key={sentence}>{t(`terms.sections.${id}.${sentence}` as 'terms.sections.live.speed', POLICY_NUMBERS)}</li>
        ))}
      </ul>,
    ),
  );
}
