import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../api/session.ts';
import { showToast } from '../ui/toasts.ts';

interface UploadDialogControl {
  readonly opened: boolean;
  /** Initial device type. */
  readonly deviceTypeId: number | undefined;
  /** Opens the upload dialog. A visitor has to log in first, and the dialog opens afterwards. */
  open(deviceTypeId?: number): void;
  close(): void;
}

const Context = createContext<UploadDialogControl | null>(null);

/** Controls the app's single upload dialog from any page. */
export function useUploadDialog(): UploadDialogControl {
  const control = useContext(Context);
  if (!control) throw new Error('useUploadDialog needs the UploadDialogProvider above it');
  return control;
}

export function UploadDialogProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const [deviceTypeId, setDeviceTypeId] = useState<number>();
  const { kind } = useSession();
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { pathname } = useLocation();

  const open = useCallback(
    (wanted?: number) => {
      if (kind === 'visitor') {
        showToast({ kind: 'info', text: t('loginToUpload') });
        const device = wanted === undefined ? '' : `&device_type_id=${wanted}`;
        const back = /^\/(index|login|register)/i.test(pathname) ? '/' : pathname;
        navigate(`/login?redirect=${encodeURIComponent(`${back}?action=upload${device}`)}`);
        return;
      }
      if (kind !== 'member' && kind !== 'guest') return;
      setDeviceTypeId(wanted);
      setOpened(true);
    },
    [kind, navigate, pathname, t],
  );
  const close = useCallback(() => setOpened(false), []);
  const control = useMemo(() => ({ opened, deviceTypeId, open, close }), [opened, deviceTypeId, open, close]);
  return <Context.Provider value={control}>{children}</Context.Provider>;
}
