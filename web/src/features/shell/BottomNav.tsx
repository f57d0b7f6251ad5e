import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import IconDeviceImac from '@tabler/icons-react/icons/IconDeviceImac';
import IconHome from '@tabler/icons-react/icons/IconHome';
import IconPhotoPlus from '@tabler/icons-react/icons/IconPhotoPlus';
import IconShoppingBag from '@tabler/icons-react/icons/IconShoppingBag';
import IconUser from '@tabler/icons-react/icons/IconUser';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import classes from './BottomNav.module.css';
import { pageKey } from './transition.ts';
import { tellNotReady, useSwitches } from './use-switches.ts';

/** The items in order; the feature switch makes each available, in development or hidden. */
const ITEMS = [
  { feature: 'home', Icon: IconHome, to: '/home', pages: ['/home', '/player'] },
  { feature: 'album', Icon: IconAlbum, to: '/album', pages: ['/album'] },
  { feature: 'convert2to3', Icon: IconPhotoPlus, to: null, pages: [] },
  {
    feature: 'frameSetting',
    Icon: IconDeviceImac,
    to: '/menu/frameSetting',
    pages: ['/menu/framesetting', '/member/framesetting'],
  },
  { feature: 'store', Icon: IconShoppingBag, to: '/store', pages: ['/store'] },
  { feature: 'menu', Icon: IconUser, to: '/menu', pages: ['/menu'] },
] as const;

/** Bottom navigation for members on phones. It is inert while the upload dialog is open. */
export function BottomNav() {
  const { t } = useTranslation('shell');
  const { kind } = useSession();
  const { opened, open } = useUploadDialog();
  const { stateOf, isShut } = useSwitches();
  const page = pageKey(useLocation().pathname);
  if (kind !== 'member' || isShut) return null;
  // The observed product had no frames here: the item is there only where it is available.
  const items = ITEMS.filter(
    ({ feature }) => stateOf(feature) !== 'off' && (feature !== 'frameSetting' || stateOf(feature) === 'on'),
  );
  // The pages of the frames are below the menu, whose item follows.
  const current = items.find(({ pages }) => pages.some((own) => own === page || page.startsWith(`${own}/`)));
  return (
    <nav className={classes.nav} aria-label={t('bottomNavigation')} inert={opened}>
      {items.map((item) => {
        const { feature, Icon, to } = item;
        const label = t(`footer.${feature}`);
        const icon = (
          <span className={classes.icon} data-main={feature === 'convert2to3' || undefined}>
            <Icon aria-hidden />
          </span>
        );
        if (stateOf(feature) === 'in_development') {
          return (
            <UnstyledButton key={feature} className={classes.item} aria-disabled data-soon onClick={tellNotReady}>
              {icon}
              {label}
              <VisuallyHidden> ({t('inDevelopment')})</VisuallyHidden>
            </UnstyledButton>
          );
        }
        return to === null ? (
          <UnstyledButton key={feature} className={classes.item} onClick={() => open()} data-guide="convert">
            {icon}
            {label}
          </UnstyledButton>
        ) : (
          <Link key={feature} to={to} className={classes.item} aria-current={item === current ? 'page' : undefined}>
            {icon}
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
