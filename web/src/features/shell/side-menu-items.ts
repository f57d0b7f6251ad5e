import type { Feature } from '@framelift/contract';
import type { Texts } from '@framelift/texts';
import type { Session } from '../../api/session.ts';

export interface SideMenuItem {
  readonly key: keyof Texts['shell']['side'] | 'theme';
  /** Target page or action. */
  readonly does: { readonly to: string } | 'upload' | 'lang' | 'theme' | 'logout';
  /** Feature switch of the item; without one it is always available. */
  readonly feature?: Feature;
}

const uploadFile: SideMenuItem = { key: 'uploadFile', does: 'upload', feature: 'convert2to3' };
const lang: SideMenuItem = { key: 'lang', does: 'lang' };
const theme: SideMenuItem = { key: 'theme', does: 'theme' };
const logout: SideMenuItem = { key: 'logout', does: 'logout' };

interface Groups {
  /** Items for accounts only; a guest has just the upload. */
  readonly memberArea: readonly SideMenuItem[];
  readonly others: readonly SideMenuItem[];
}

/**
 * Returns the side menu items for a kind of session. Guests have no language item: their language is always English.
 */
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
          { key: 'frameSetting', does: { to: '/menu/frameSetting' }, feature: 'frameSetting' },
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
