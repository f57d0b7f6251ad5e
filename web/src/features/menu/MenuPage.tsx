import { LANGUAGES } from '@framelift/contract';
import { Button, Group, Stack, Title, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp';
import IconLanguage from '@tabler/icons-react/icons/IconLanguage';
import IconLogout from '@tabler/icons-react/icons/IconLogout';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconServerCog from '@tabler/icons-react/icons/IconServerCog';
import IconSunMoon from '@tabler/icons-react/icons/IconSunMoon';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { logout, useSession } from '../../api/session.ts';
import { currentLanguage, setLanguage } from '../../i18n/index.ts';
import { showAlert } from '../../ui/alerts.ts';
import classes from './MenuPage.module.css';

const SCHEMES = ['auto', 'dark', 'light'] as const;

/** Who one is, and the settings of this browser. */
export default function MenuPage() {
  const { t } = useTranslation('menu');
  const { t: common } = useTranslation();
  const session = useSession();
  const queries = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [languagesShown, showLanguages] = useState(false);
  if (!('user' in session)) return null;
  const { name, email, phone, isAdmin } = session.user;

  const leave = async () => {
    const { button } = await showAlert({
      title: t('logoutTitle'),
      content: t('logoutText'),
      buttons: [
        { value: 'cancel', label: common('cancel') },
        { value: 'logout', label: t('logout'), look: 'primary' },
      ],
    });
    if (button === 'logout') await logout(queries);
  };

  return (
    <Stack className={classes.page} gap="xl">
      <Title order={1}>{t('title')}</Title>
      <dl className={classes.account}>
        <dt>{t('name')}</dt>
        <dd>{name}</dd>
        <dt>{t('email')}</dt>
        <dd>{email}</dd>
        {phone !== '' && (
          <>
            <dt>{t('phone')}</dt>
            <dd>{phone}</dd>
          </>
        )}
      </dl>
      <ul className={classes.entries}>
        <li>
          <UnstyledButton component={Link} to="/member/video" className={classes.entry}>
            <IconPhoto aria-hidden />
            <span>{t('content')}</span>
            <IconChevronRight aria-hidden />
          </UnstyledButton>
        </li>
        {isAdmin && (
          <li>
            <UnstyledButton component={Link} to="/admin" className={classes.entry}>
              <IconServerCog aria-hidden />
              <span>{t('admin')}</span>
              <IconChevronRight aria-hidden />
            </UnstyledButton>
          </li>
        )}
        <li>
          <UnstyledButton
            className={classes.entry}
            aria-expanded={languagesShown}
            aria-controls="languages"
            onClick={() => showLanguages(!languagesShown)}
          >
            <IconLanguage aria-hidden />
            <span>{t('language')}</span>
            {languagesShown ? <IconChevronUp aria-hidden /> : <IconChevronDown aria-hidden />}
          </UnstyledButton>
          <ul id="languages" hidden={!languagesShown} className={classes.choices}>
            {LANGUAGES.map(({ code, name, htmlLang }) => (
              <li key={code}>
                <UnstyledButton
                  className={classes.choice}
                  lang={htmlLang}
                  aria-pressed={code === currentLanguage()}
                  onClick={() => void setLanguage(code)}
                >
                  {name}
                  {code === currentLanguage() && <IconCheck aria-hidden />}
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </li>
        <li>
          <div className={classes.row}>
            <IconSunMoon aria-hidden />
            <span id="theme">{t('theme')}</span>
          </div>
          <Group className={classes.scheme} role="group" aria-labelledby="theme">
            {SCHEMES.map((scheme) => (
              <Button
                key={scheme}
                px="sm"
                variant={scheme === colorScheme ? 'light' : 'subtle'}
                color={scheme === colorScheme ? 'coral' : 'gray'}
                aria-pressed={scheme === colorScheme}
                onClick={() => setColorScheme(scheme)}
              >
                {t(`themes.${scheme}`)}
              </Button>
            ))}
          </Group>
        </li>
        <li>
          <UnstyledButton className={classes.entry} onClick={() => void leave()}>
            <IconLogout aria-hidden />
            <span>{t('logout')}</span>
          </UnstyledButton>
        </li>
      </ul>
    </Stack>
  );
}
