import { Drawer, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import IconCrown from '@tabler/icons-react/icons/IconCrown';
import IconDeviceImac from '@tabler/icons-react/icons/IconDeviceImac';
import IconHome from '@tabler/icons-react/icons/IconHome';
import IconId from '@tabler/icons-react/icons/IconId';
import IconLanguage from '@tabler/icons-react/icons/IconLanguage';
import IconLogin2 from '@tabler/icons-react/icons/IconLogin2';
import IconLogout from '@tabler/icons-react/icons/IconLogout';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import IconShoppingBag from '@tabler/icons-react/icons/IconShoppingBag';
import IconSunMoon from '@tabler/icons-react/icons/IconSunMoon';
import IconUpload from '@tabler/icons-react/icons/IconUpload';
import IconUser from '@tabler/icons-react/icons/IconUser';
import IconUserPlus from '@tabler/icons-react/icons/IconUserPlus';
import { useMutation } from '@tanstack/react-query';
import { type MouseEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { logoutMutation, useSession } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { LanguageModal } from '../../ui/LanguageModal.tsx';
import { dialogsSettled, useModalHistory } from '../../ui/use-modal-history.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import classes from './SideMenu.module.css';
import { type SideMenuItem, sideMenuItems } from './side-menu-items.ts';
import { plainPath } from './transition.ts';
import { useSwitches } from './use-switches.ts';

const ICONS: Record<SideMenuItem['key'], typeof IconHome> = {
  uploadFile: IconUpload,
  memberCenter: IconUser,
  profile: IconId,
  content: IconPhoto,
  album: IconAlbum,
  frameSetting: IconDeviceImac,
  order: IconReceipt,
  home: IconHome,
  store: IconShoppingBag,
  plans: IconCrown,
  lang: IconLanguage,
  theme: IconSunMoon,
  login: IconLogin2,
  register: IconUserPlus,
  logout: IconLogout,
};

/** All items that do not fit in the header. It opens on mount; `onClosed` is called after it has slid out. */
export function SideMenu({ onClosed }: { onClosed: () => void }) {
  const { t } = useTranslation('shell');
  const { t: common } = useTranslation();
  const { kind } = useSession();
  const logout = useMutation(logoutMutation);
  const upload = useUploadDialog();
  const page = plainPath(useLocation().pathname);
  const { stateOf, isDev } = useSwitches();
  const { setColorScheme } = useMantineColorScheme();
  const otherScheme = useComputedColorScheme('dark') === 'dark' ? 'light' : 'dark';
  const [opened, setOpened] = useState(true);
  const [choosing, setChoosing] = useState(false);
  /** Action to run after the menu has closed: two open dialogs would interfere with each other. */
  const next = useRef<(() => void) | null>(null);
  const close = () => setOpened(false);
  const closeAnd = (then: () => void) => {
    next.current = then;
    close();
  };
  const closeTop = useModalHistory(opened, close);
  useReturnFocus(opened);

  const run = (does: Exclude<SideMenuItem['does'], object>) => {
    if (does === 'upload') closeAnd(() => upload.open());
    else if (does === 'logout') closeAnd(() => logout.mutate());
    else if (does === 'lang') setChoosing(true);
    else setColorScheme(otherScheme);
  };
  const item = ({ key, does, feature }: SideMenuItem) => {
    const state = feature ? stateOf(feature) : 'on';
    if (state === 'off') return null;
    const Icon = ICONS[key];
    const label = (
      <>
        <Icon aria-hidden />
        <span>{key === 'theme' ? common(otherScheme === 'light' ? 'useLight' : 'useDark') : t(`side.${key}`)}</span>
        {state === 'in_development' && <span className={classes.soon}>{t('inDevelopment')}</span>}
      </>
    );
    const shared = { className: classes.item ?? '', 'data-soon': state === 'in_development' || undefined };
    if (state === 'in_development' && !isDev) return <span {...shared}>{label}</span>;
    if (typeof does === 'string') {
      return (
        <UnstyledButton {...shared} onClick={() => run(does)}>
          {label}
        </UnstyledButton>
      );
    }
    const here = plainPath(does.to) === page;
    const follow = (event: MouseEvent) => {
      if (here) event.preventDefault();
      close();
    };
    return (
      <Link {...shared} to={does.to} replace aria-current={here ? 'page' : undefined} onClick={follow}>
        {label}
      </Link>
    );
  };

  const { memberArea, others } = sideMenuItems(kind);
  const group = (items: readonly SideMenuItem[]) =>
    items.map((one) => {
      const shown = item(one);
      return shown && <li key={one.key}>{shown}</li>;
    });
  return (
    <>
      <Drawer.Root
        opened={opened}
        onClose={closeTop}
        position="right"
        size="xs"
        returnFocus={false}
        classNames={{ content: classes.content ?? '', header: classes.header ?? '', title: classes.heading ?? '' }}
        onExitTransitionEnd={() => {
          onClosed();
          void dialogsSettled().then(() => next.current?.());
        }}
      >
        <Drawer.Overlay />
        <Drawer.Content>
          <Drawer.Header role="none">
            <Drawer.Title>{t('sideMenu')}</Drawer.Title>
            <Drawer.CloseButton size="lg" aria-label={common('close')} />
          </Drawer.Header>
          <Drawer.Body>
            <nav aria-label={t('sideMenu')}>
              {memberArea.length > 0 && (
                <>
                  {kind === 'member' && <h3 className={classes.group}>{t('yours')}</h3>}
                  <ul className={classes.list}>{group(memberArea)}</ul>
                  <hr className={classes.line} />
                </>
              )}
              <ul className={classes.list}>{group(others)}</ul>
            </nav>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <LanguageModal opened={choosing} onClose={() => setChoosing(false)} />
    </>
  );
}
