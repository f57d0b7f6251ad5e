import { i18next } from '../../../i18n/index.ts';
import { confirm } from '../../../ui/confirm.ts';

/** Asks whether a page whose text is not saved is to be left. */
export const askToLeave = (): Promise<boolean> =>
  confirm({
    title: i18next.t('adminPages:leave.title'),
    content: i18next.t('adminPages:leave.text'),
    label: i18next.t('adminPages:leave.leave'),
    cancel: i18next.t('adminPages:leave.stay'),
  });
