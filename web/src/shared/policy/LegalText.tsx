import type { LegalText as Legal, LegalKind } from '@framelift/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { PolicyText } from './PolicyText.tsx';

/** Since when a legal text is in force, or when the one that Framelift brings was updated. */
export function LegalDate({ legal }: { legal: Legal }) {
  const { t } = useTranslation('policy');
  const { content, in_force_from: from, in_force_until: until } = legal;
  const day = (time: string) => formatDate(time, currentLanguage());
  const isOwn = content !== null && from !== null;
  const current = () => (isOwn ? t('inForce', { date: day(from) }) : t('updated'));
  const earlier = (end: string) =>
    from === null
      ? t('earlier.until', { until: day(end) })
      : t('earlier.between', { from: day(from), until: day(end) });
  return <Text c="dimmed">{until === null ? current() : earlier(until)}</Text>;
}

/** The terms or the privacy policy: those of the operators, or those that Framelift brings. */
export function LegalText({ name, legal, order }: { name: LegalKind; legal: Legal; order: 2 | 4 }) {
  return legal.content === null ? (
    <PolicyText name={name} order={order} />
  ) : (
    <Markdown text={legal.content} order={order} anchors={name} />
  );
}
