import type { Texts } from '@framelift/texts';
import { Text, Title, UnstyledButton } from '@mantine/core';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import IconMapPin from '@tabler/icons-react/icons/IconMapPin';
import IconTools from '@tabler/icons-react/icons/IconTools';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import classes from './Pages.module.css';

export type ComingName = keyof Texts['pages']['coming']['pages'];

const ICONS: Record<ComingName, typeof IconMapPin> = {
  locations: IconMapPin,
};

/** Page of a feature in development: a description, and what is available today. */
export function ComingPage({ name }: { name: ComingName }) {
  const { t } = useTranslation('pages');
  const Icon = ICONS[name];
  return (
    <div className={classes.page}>
      <DocumentTitle title={t(`coming.pages.${name}.title`)} />
      <span className={classes.icon}>
        <Icon size={32} aria-hidden />
      </span>
      <Title order={1}>{t(`coming.pages.${name}.title`)}</Title>
      <InDevelopment />
      <Text size="lg">{t(`coming.pages.${name}.text`)}</Text>
      <WhatWorks />
    </div>
  );
}

/** Short notice that a feature is not available yet. */
export function InDevelopment() {
  const { t } = useTranslation();
  return (
    <Text className={classes.mark}>
      <IconTools size={20} aria-hidden />
      <span>
        {t('featureUnderDevelopment')} · {t('featureNotAvailableYet')}
      </span>
    </Text>
  );
}

const VISITORS = [
  ['/index', 'start'],
  ['/qa', 'faq'],
  ['/login', 'login'],
] as const;
const MEMBERS = [
  ['/member/video', 'content'],
  ['/menu/profile', 'profile'],
] as const;

/** Links to the features available to a visitor or a member now. */
export function WhatWorks() {
  const { t } = useTranslation('pages');
  const { kind } = useSession();
  const { open } = useUploadDialog();
  const links = kind === 'visitor' ? VISITORS : MEMBERS;
  return (
    <section aria-labelledby="today" className={classes.wide}>
      <Title order={2} size="h4" id="today">
        {t('coming.today')}
      </Title>
      <ul className={classes.next}>
        {kind !== 'visitor' && (
          <li>
            <UnstyledButton className={classes.step} onClick={() => open()}>
              <span>{t('coming.convert')}</span>
              <IconChevronRight aria-hidden />
            </UnstyledButton>
          </li>
        )}
        {links.map(([to, key]) => (
          <li key={key}>
            <Link to={to} className={classes.step ?? ''}>
              <span>{t(`coming.${key}`)}</span>
              <IconChevronRight aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
