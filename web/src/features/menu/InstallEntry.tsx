import IconDeviceMobileDown from '@tabler/icons-react/icons/IconDeviceMobileDown';
import { useTranslation } from 'react-i18next';
import { showAlert } from '../../ui/alerts.ts';
import { askToInstall, useInstallWay } from '../../ui/install-prompt.ts';
import { showToast } from '../../ui/toasts.ts';
import { Entry } from './Entry.tsx';

/** Installs the app where the browser offers it; on iOS, where only people can, it says how. */
export function InstallEntry() {
  const { t } = useTranslation('install');
  const way = useInstallWay();
  if (way === null) return null;
  const install = async () => {
    if (await askToInstall()) showToast({ kind: 'success', text: t('done') });
  };
  const explain = () =>
    showAlert({
      title: t('ios.title'),
      content: (
        <ol>
          <li>{t('ios.share')}</li>
          <li>{t('ios.add')}</li>
        </ol>
      ),
    });
  return (
    <Entry
      icon={IconDeviceMobileDown}
      label={t('entry')}
      onSelect={() => void (way === 'ios' ? explain() : install())}
    />
  );
}
