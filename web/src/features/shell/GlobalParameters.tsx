import { LIMITS } from '@framelift/contract';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../../api/session.ts';
import { showToast } from '../../ui/toasts.ts';
import { useUploadDialog } from '../../ui/uploadDialog.tsx';
import { readParameters } from './parameters.ts';

/** Query parameters that count on any page: each is acted upon once and taken out of the address. */
export function GlobalParameters() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const { kind } = useSession();
  const { open } = useUploadDialog();

  useEffect(() => {
    if (kind === 'loading' || kind === 'unreachable') return;
    const { alert, upload, rest } = readParameters(search);
    if (rest === search) return;
    navigate({ pathname, search: rest, hash }, { replace: true, preventScrollReset: true });
    if (alert) showToast({ kind: 'info', text: alert, ms: LIMITS.alertParameterToastMs });
    if (upload) open(upload.deviceTypeId);
  }, [kind, pathname, search, hash, navigate, open]);
  return null;
}
