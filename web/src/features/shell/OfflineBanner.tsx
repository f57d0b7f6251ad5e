import IconWifiOff from '@tabler/icons-react/icons/IconWifiOff';
import { useTranslation } from 'react-i18next';
import { useOffline } from '../../ui/connection.ts';
import classes from './Shell.module.css';

/** Says that there is no connection while there is none. What waits for one goes on by itself. */
export function OfflineBanner() {
  const { t } = useTranslation('shell');
  const offline = useOffline();
  return (
    <div role="status" className={classes.offline} hidden={!offline}>
      {offline && (
        <>
          <IconWifiOff size={20} aria-hidden />
          <span>{t('offline')}</span>
        </>
      )}
    </div>
  );
}
