import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconExclamationCircle from '@tabler/icons-react/icons/IconExclamationCircle';
import IconInfoCircle from '@tabler/icons-react/icons/IconInfoCircle';
import classes from './KindIcon.module.css';
import type { ToastKind } from './toasts.ts';

const icons = {
  success: IconCircleCheck,
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  error: IconExclamationCircle,
};

/** Icon of a message kind; decorative, because the text says the same. */
export function KindIcon({ kind }: { kind: ToastKind }) {
  const Icon = icons[kind];
  return <Icon className={classes.icon} data-kind={kind} aria-hidden />;
}
