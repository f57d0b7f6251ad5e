import type { Language } from '@framelift/contract';
import { i18next } from '../../i18n/index.ts';
import { POLICY_NUMBERS, type PolicyName, PRIVACY, TERMS } from './policy-sections.ts';

/** Returns a legal text that Framelift brings, in Markdown, as operators begin to edit it. Its texts must be loaded. */
export function builtinMarkdown(name: PolicyName, language: Language): string {
  const t = i18next.getFixedT(language, 'policy');
  const section = (title: string, content: string) => `## ${title}\n\n${content}`;
  if (name === 'privacy')
    return PRIVACY.map((id) =>
      section(t(`privacy.sections.${id}.title`), t(`privacy.sections.${id}.text`, POLICY_NUMBERS)),
    ).join('\n\n');
  return (Object.keys(TERMS) as (keyof typeof TERMS)[])
    .map((id) =>
      section(
        t(`terms.sections.${id}.title`),
        TERMS[id]
          .map((one) => `- ${t(`terms.sections.${id}.${one}` as 'terms.sections.live.speed', POLICY_NUMBERS)}`)
          .join('\n'),
      ),
    )
    .join('\n\n');
}
