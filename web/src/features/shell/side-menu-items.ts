import type { Feature } from '@framelift/contract';
import type { Texts } from '@framelift/texts';
import type { Session } from '../../api/session.ts';

export interface SideMenuItem {
  readonly key: keyof Texts['shell']['side'] | 'theme';
  /** The page that it leads to, or what it does. */
  readonly does: { readonly to: string } | 'upload' | 'lang' | 'theme' | 'logout';
  /** The switch that says whether it is ready; without one it always is. */
  readonly feature?: Feature;
}

const uploadFile: SideMenuItem = { key: 'uploadFile', does: 'upload', feature: 'convert2to3' };
const lang: SideMenuItem = { key: 'lang', does: 'lang' };
const theme: SideMenuItem = { key: 'theme', does: 'theme' };
const logout: SideMenuItem = { key: 'logout', does: 'logout' };

interface Groups {
  /** What only those with an account have; a guest has the upload. */
  readonly memberArea: readonly SideMenuItem[];
  readonly others: readonly SideMenuItem[];
}

/** What the side menu offers to whom. A guest's language is English and stays so. */
export function sideMenuItems(kind: Session['kind']): Groups {
  switch (kind) {
    case 'member':
      return {
        memberArea: [
          uploadFile,
          { key: 'memberCenter', does: { to: '/menu' }, feature: 'menu' },
          { key: 'profile', does: { to: '/menu/profile' } },
          { key: 'content', does: { to: '/member/video' } },
          { key: 'album', does: { to: '/album' }, feature: 'album' },
          { key: 'order', does: { to: '/menu/order' }, feature: 'orderMenu' },
        ],
        others: [
          { key: 'home', does: { to: '/home' }, feature: 'home' },
          { key: 'store', does: { to: '/store' }, feature: 'store' },
          { key: 'plans', does: { to: '/subscribe' } },
          lang,
          theme,
          logout,
        ],
      };
    case 'guest':
      return { memberArea: [uploadFile], others: [theme, logout] };
    case 'unconfirmed':
      return { memberArea: [], others: [lang, theme, logout] };
    case 'visitor':
      return {
        memberArea: [],
        others: [
          { key: 'login', does: { to: '/login' } },
          { key: 'register', does: { to: '/register' } },
          { key: 'plans', does: { to: '/plan' } },
          lang,
          theme,
        ],
      };
    default:
      return { memberArea: [], others: [lang, theme] };
  }
}
