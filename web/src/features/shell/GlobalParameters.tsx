import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { guestLogin } from '../../api/accounts.ts';
import { call } from '../../api/client.ts';
import { rememberDevice, useRememberedDevice } from '../../api/pairing.ts';
import { storeRedirect } from '../../api/redirect.ts';
import { endExpiredSession, useSession } from '../../api/session.ts';
import { i18next } from '../../i18n/index.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { UI_LIMITS } from '../../ui/limits.ts';
import { showToast } from '../../ui/toasts.ts';
import { readParameters, without } from './parameters.ts';
import { pageKey } from './transition.ts';

/** Path of the page that pairs the frame named by a link, and its alias. */
const PAIRING = '/menu/qrcode';
const PAIRING_TOO = '/member/qrcode';

/** Handles the query parameters that work on any page: each is applied once and then removed from the URL. */
export function GlobalParameters() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const { kind } = useSession();
  const { openFromLink } = useUploadDialog();
  const { t } = useTranslation('shell');
  const queries = useQueryClient();
  const { mutate: beGuest } = useMutation(guestLogin);
  const asGuest = useRef(false);
  const remembered = useRememberedDevice();
  const { userId } = readParameters(search);
  const known = kind !== 'loading' && kind !== 'unreachable';
  /** A link made for one member is ignored in the session of another. */
  const { data: check } = useQuery({
    queryKey: ['checkTokenForUser', userId],
    queryFn: () => call('checkTokenForUser', { input: { userId: userId ?? '' } }),
    enabled: userId !== null && known && kind !== 'visitor',
    staleTime: Number.POSITIVE_INFINITY,
  });

  useEffect(() => {
    if (!known) return;
    const { alert, upload, guest, device, rest } = readParameters(search);
    if (rest === search) return;
    const onVisitorsPage = ['/index', '/login'].includes(pageKey(pathname));
    const here = onVisitorsPage ? '/' : pathname;

    if (userId !== null && kind === 'visitor') {
      navigate(`/login?redirect=${encodeURIComponent(here + search)}`, { replace: true });
      return;
    }
    if (userId !== null) {
      if (!check) return;
      if (!check.belongs) {
        // The URL keeps its parameters, so that the following login returns to them.
        if (endExpiredSession(queries)) showToast({ kind: 'warning', text: t('otherAccount') });
        return;
      }
    }
    if (guest && kind === 'visitor') {
      const wanted = new URLSearchParams(search).get('redirect') ?? here + without(search, 'guest');
      // On the login page the guest login continues to the wanted path; other pages redirect there, because a guest
      // login elsewhere would lead only to the guest page.
      if (pageKey(pathname) !== '/login') {
        navigate(`/login?guest=1&redirect=${encodeURIComponent(wanted)}`, { replace: true });
      } else if (!asGuest.current) {
        asGuest.current = true;
        storeRedirect(wanted);
        // A value of the parameter is not used as the guest's secret: the author of the link would know it and could
        // see the uploads.
        beGuest(undefined);
        navigate({ pathname, search: `?redirect=${encodeURIComponent(wanted)}` }, { replace: true });
      }
      return;
    }
    navigate({ pathname, search: rest, hash }, { replace: true, preventScrollReset: true });
    if (device) rememberDevice(device);
    if (alert) showToast({ kind: 'info', text: textOf(alert), ms: UI_LIMITS.alertParameterToastMs });
    if (upload) openFromLink(upload);
  }, [known, kind, pathname, search, hash, userId, check, navigate, openFromLink, beGuest, queries, t]);

  // The link may have been opened before the login; the pairing page clears the stored id as soon as it has read it.
  useEffect(() => {
    if (remembered === null || kind !== 'member' || [PAIRING, PAIRING_TOO].includes(pageKey(pathname))) return;
    navigate(PAIRING, { replace: true });
  }, [remembered, kind, pathname, navigate]);
  return null;
}

/** Returns the text for a message key; any other value of the parameter is shown as plain text. */
function textOf(alert: string): string {
  return /^[a-z]\w+$/i.test(alert) && i18next.exists(alert) ? String(i18next.t(alert as 'close')) : alert;
}
