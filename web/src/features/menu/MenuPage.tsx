import { type Feature, LANGUAGES, type User } from '@framelift/contract';
import { Anchor, Badge, Button, Group, Stack, Title, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import IconBell from '@tabler/icons-react/icons/IconBell';
import IconBuilding from '@tabler/icons-react/icons/IconBuilding';
import IconCards from '@tabler/icons-react/icons/IconCards';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp';
import IconCoins from '@tabler/icons-react/icons/IconCoins';
import IconCreditCard from '@tabler/icons-react/icons/IconCreditCard';
import IconDeviceImac from '@tabler/icons-react/icons/IconDeviceImac';
import IconDevices from '@tabler/icons-react/icons/IconDevices';
import IconHelpCircle from '@tabler/icons-react/icons/IconHelpCircle';
import IconInbox from '@tabler/icons-react/icons/IconInbox';
import IconLanguage from '@tabler/icons-react/icons/IconLanguage';
import IconLogout from '@tabler/icons-react/icons/IconLogout';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconQrcode from '@tabler/icons-react/icons/IconQrcode';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import IconServerCog from '@tabler/icons-react/icons/IconServerCog';
import IconShare3 from '@tabler/icons-react/icons/IconShare3';
import IconSunMoon from '@tabler/icons-react/icons/IconSunMoon';
import IconTicket from '@tabler/icons-react/icons/IconTicket';
import IconUsers from '@tabler/icons-react/icons/IconUsers';
import IconWand from '@tabler/icons-react/icons/IconWand';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { friendListQuery } from '../../api/friends.ts';
import { notificationsQuery } from '../../api/notifications.ts';
import { logoutMutation, useSession } from '../../api/session.ts';
import { formatDate, formatNumber } from '../../i18n/format.ts';
import { currentLanguage, setLanguage } from '../../i18n/index.ts';
import { AccountFacts } from '../../shared/AccountFacts.tsx';
import { useStartTutorial } from '../../shared/tutorial/use-start-tutorial.ts';
import { endOf, isPaused, useOwnPlan } from '../../shared/use-own-plan.ts';
import { confirm } from '../../ui/confirm.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { Entry, type EntryProps } from './Entry.tsx';
import { InstallEntry } from './InstallEntry.tsx';
import classes from './MenuPage.module.css';
import { SerialDialog } from './SerialDialog.tsx';

const MemberNotifications = lazyNamed(() => import('./NotificationPanel.tsx'), 'MemberNotifications');

const SCHEMES = ['auto', 'dark', 'light'] as const;

/** The member's account, further pages and actions, and the settings of this browser. */
export function MenuPage() {
  const { t } = useTranslation('menu');
  const session = useSession();
  const logout = useMutation(logoutMutation);
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { data: config } = useQuery(configQuery);
  const startTutorial = useStartTutorial();
  const [languagesShown, showLanguages] = useState(false);
  const [query] = useSearchParams();
  const [serialOpened, setSerialOpened] = useState(query.has('redeem'));
  if (!('user' in session)) return null;
  const { user } = session;
  const number = (value: number) => formatNumber(value, currentLanguage());
  const stateOf = (feature: Feature) => config?.features[feature] ?? 'unknown';

  const agrees = (title: string, content: string, label: string) => confirm({ title, content, label, look: 'primary' });

  const openAbout = async () => {
    const outside = config?.aboutUrl ?? null;
    const text = outside === null ? t('aboutText') : t('aboutOutside', { host: new URL(outside).host });
    if (!(await agrees(t('aboutTitle'), text, t('open')))) return;
    if (outside === null) navigate('/about');
    else window.location.assign(outside);
  };
  const leave = async () => {
    if (await agrees(t('logoutTitle'), t('logoutText'), t('logout'))) logout.mutate();
  };
  const beginTutorial = async () => {
    if (await agrees(t('tutorialTitle'), t('tutorialText'), t('tutorialStart'))) await startTutorial();
  };

  return (
    <Stack className={classes.page} gap="lg">
      <Title order={1}>{t('title')}</Title>
      <section className={classes.account} aria-label={t('account')}>
        <AccountFacts user={user} />
        <Group gap="sm">
          {user.VIP && <Badge>{t('vip')}</Badge>}
          <Anchor component={Link} to="/menu/profile" className={classes.edit ?? ''}>
            <IconPencil size="1.1em" aria-hidden />
            {t('edit')}
          </Anchor>
        </Group>
      </section>
      <ul className={classes.entries}>
        <NotificationsEntry />
        <Entry icon={IconPhoto} label={t('content')} to="/member/video" />
        <Entry icon={IconAlbum} label={t('album')} to="/album" state={stateOf('album')} />
        <Entry icon={IconShare3} label={t('shares')} to="/menu/shares" />
        <Entry icon={IconReceipt} label={t('order')} to="/menu/order" state={stateOf('orderMenu')} />
        <Entry icon={IconCreditCard} label={t('payments')} to="/menu/payments" />
        <Entry
          icon={IconCoins}
          label={t('points')}
          to="/menu/points"
          amount={t('balance', { points: number(user.points), free: number(user.freePoints) })}
        />
        <PlanEntry user={user} />
        <Entry
          icon={IconDeviceImac}
          label={t('frameSetting')}
          to="/menu/frameSetting"
          state={stateOf('frameSetting')}
        />
        <Entry icon={IconInbox} label={t('uploadLinks')} to="/member/uploadlinks" />
        <FriendsEntry state={stateOf('addFriend')} />
        <Entry icon={IconQrcode} label={t('scan')} to="/menu/qrcode" state={stateOf('frameSetting')} />
        <Entry
          icon={IconTicket}
          label={t('serial')}
          onSelect={() => setSerialOpened(true)}
          state={stateOf('enterSerial')}
        />
      </ul>
      <ul className={classes.entries}>
        <Entry icon={IconDevices} label={t('sessions')} to="/menu/profile#sessions" />
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
          <ul id="languages" hidden={!languagesShown}>
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
      </ul>
      <ul className={classes.entries}>
        <Entry
          icon={IconWand}
          label={t('tutorial')}
          onSelect={() => void beginTutorial()}
          state={stateOf('tutorial')}
        />
        <Entry icon={IconHelpCircle} label={t('qa')} to="/qa" state={stateOf('qa')} />
        <InstallEntry />
        <Entry icon={IconBuilding} label={t('about')} onSelect={() => void openAbout()} />
        {user.isAdmin && <Entry icon={IconServerCog} label={t('admin')} to="/admin" />}
        <Entry icon={IconLogout} label={t('logout')} onSelect={() => void leave()} />
      </ul>
      <SerialDialog opened={serialOpened} onClose={() => setSerialOpened(false)} />
    </Stack>
  );
}

/** The entry of what the member has subscribed to, with the plan. */
function PlanEntry({ user }: { user: User }) {
  const { t } = useTranslation('menu');
  const plan = useOwnPlan(user);
  const end = endOf(plan);
  const amount = isPaused(plan)
    ? t('planPaused', { name: plan.name })
    : end
      ? t('planUntil', { name: user.myPlan.plan.name, date: formatDate(end, currentLanguage()) })
      : user.myPlan.plan.name;
  return <Entry icon={IconCards} label={t('subscription')} to="/subscribedetail" {...(amount !== '' && { amount })} />;
}

/** The entry of the friends, with the number of requests that wait for an answer. */
function FriendsEntry({ state }: Pick<EntryProps, 'state'>) {
  const { t } = useTranslation('menu');
  const { data } = useInfiniteQuery({ ...friendListQuery('received'), enabled: state === 'on' });
  const count = data?.pages[0]?.total ?? 0;
  const news = count > 0 ? { news: { count, label: t('friendRequests', { count }) } } : {};
  return <Entry icon={IconUsers} label={t('friends')} to="/member/addfriend" state={state} {...news} />;
}

/** The entry of the notifications, with the number of new ones. It opens them as a panel. */
function NotificationsEntry() {
  const { t } = useTranslation('menu');
  const [shown, show] = useState(false);
  const { data } = useInfiniteQuery(notificationsQuery(currentLanguage()));
  const count = data?.pages.flatMap((page) => page.data).filter(({ is_read }) => !is_read).length ?? 0;
  const news = count > 0 ? { news: { count, label: t('newNotifications', { count }) } } : {};
  return (
    <>
      <Entry icon={IconBell} label={t('notifications')} onSelect={() => show(true)} {...news} />
      <Suspense fallback={null}>{shown && <MemberNotifications onClosed={() => show(false)} />}</Suspense>
    </>
  );
}
