import type { Notification } from '@framelift/contract';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconInfoCircle from '@tabler/icons-react/icons/IconInfoCircle';
import IconUpload from '@tabler/icons-react/icons/IconUpload';
import classes from './Notifications.module.css';

const ICONS = { upload: IconUpload, warning: IconAlertTriangle, info: IconInfoCircle };

/** Icon of a kind of notification; decorative, because the text says the same. */
export function NotificationIcon({ kind }: Pick<Notification, 'kind'>) {
  const Icon = ICONS[kind];
  return <Icon className={classes.icon} data-kind={kind} aria-hidden />;
}
