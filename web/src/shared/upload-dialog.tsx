import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../api/session.ts';
import { sessionStored } from '../api/stored.ts';
import { loadCode } from '../ui/load-code.ts';
import { showToast } from '../ui/toasts.ts';
import { UPLOAD_NOTE_KEY } from './upload-note-key.ts';

/** What the upload dialog begins with. */
export interface UploadStart {
  /** Initial device type. */
  readonly deviceTypeId?: number | undefined;
  /** Files that were dropped, pasted or shared; an open dialog takes them too. */
  readonly files?: readonly File[];
  /** Id of the member's album or frame that gets the results. */
  readonly to?: string | undefined;
}

interface UploadDialogControl {
  readonly opened: boolean;
  readonly start: UploadStart;
  /**
   * Opens the upload dialog, while the session is being loaded as soon as it is known. Visitors choose and crop first,
   * and need an account only for the upload.
   */
  open(start?: UploadStart): void;
  /** Opens the dialog that a link asks for. A visitor has to log in first, and the dialog opens afterwards. */
  openFromLink(start: UploadStart): void;
  close(): void;
}

const Context = createContext<UploadDialogControl | null>(null);
const NOTHING: UploadStart = {};

/** Controls the app's single upload dialog from any page. */
export function useUploadDialog(): UploadDialogControl {
  const control = useContext(Context);
  if (!control) throw new Error('useUploadDialog needs the UploadDialogProvider above it');
  return control;
}

export function UploadDialogProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const [start, setStart] = useState(NOTHING);
  /** What was asked for before the session was known. */
  const [waiting, setWaiting] = useState<UploadStart | null>(null);
  const session = useSession();
  const { kind } = session;
  const userId = 'user' in session ? session.user.id : null;
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { pathname } = useLocation();

  const askForLogin = useCallback(
    ({ deviceTypeId }: UploadStart) => {
      showToast({ kind: 'info', text: t('loginToUpload') });
      const device = deviceTypeId === undefined ? '' : `&device_type_id=${deviceTypeId}`;
      const back = /^\/(index|login|register)/i.test(pathname) ? '/' : pathname;
      navigate(`/login?redirect=${encodeURIComponent(`${back}?action=upload${device}`)}`);
    },
    [navigate, pathname, t],
  );
  const open = useCallback(
    (wanted: UploadStart = NOTHING) => {
      if (kind === 'loading' || kind === 'unreachable') {
        setWaiting((before) =>
          before?.files ? { ...wanted, files: [...before.files, ...(wanted.files ?? [])] } : wanted,
        );
      } else if (kind === 'unconfirmed') {
        showToast({ kind: 'info', text: t('confirmToUpload') });
      } else {
        setStart(wanted);
        setOpened(true);
      }
    },
    [kind, t],
  );
  const openFromLink = useCallback(
    (wanted: UploadStart) => (kind === 'visitor' ? askForLogin(wanted) : open(wanted)),
    [kind, askForLogin, open],
  );
  /** Whose upload a reload of the page has interrupted. */
  const [interrupted, setInterrupted] = useState<string | null>(null);
  useEffect(() => {
    if (sessionStored.get(UPLOAD_NOTE_KEY) === null) return;
    void loadCode(() => import('./upload-note.ts')).then(async ({ claimUploads, readUploadNote }) => {
      await claimUploads();
      setInterrupted(readUploadNote()?.owner ?? null);
    });
  }, []);
  useEffect(() => {
    if (interrupted === null || (kind !== 'member' && kind !== 'guest')) return;
    setInterrupted(null);
    if (interrupted === userId) open();
  }, [interrupted, kind, userId, open]);
  // After that: the dialog lists what was interrupted as well.
  useEffect(() => {
    if (waiting === null || kind === 'loading' || kind === 'unreachable') return;
    setWaiting(null);
    open(waiting);
  }, [waiting, kind, open]);
  const close = useCallback(() => {
    setOpened(false);
    setStart(NOTHING);
  }, []);
  const control = useMemo(
    () => ({ opened, start, open, openFromLink, close }),
    [opened, start, open, openFromLink, close],
  );
  return <Context.Provider value={control}>{children}</Context.Provider>;
}
