import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { deviceQuery } from '../../api/frames.ts';
import { rememberDevice, useRememberedDevice } from '../../api/pairing.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { ConfirmFrame, ConfirmSkeleton } from './ConfirmFrame.tsx';
import { FindFrame } from './FindFrame.tsx';
import classes from './Frames.module.css';
import { frameCodeOf } from './frame-code.ts';

/** State of the history entry: the code being confirmed. It survives a reload. */
interface State {
  readonly code?: unknown;
}

/** Pairs a frame: finds its code first, then the member confirms it. */
export function QrCodePage() {
  const { t } = useTranslation('frames');
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const remembered = useRememberedDevice();
  const given = (state as State | null)?.code;
  const typed = typeof given === 'string' ? given : '';
  const code = frameCodeOf(typed, location.origin);

  useEffect(() => {
    if (remembered === null) return;
    // A link is used once, even if pairing fails.
    navigate(pathname, { replace: true, state: { code: remembered } satisfies State });
    rememberDevice(null);
  }, [remembered, pathname, navigate]);

  const goTo = (next: string | null) => navigate(pathname, { state: { code: next ?? undefined } satisfies State });
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('scan.title')} />
      {code === null ? (
        <FindFrame key={typed} typed={typed} onFound={goTo} />
      ) : (
        <FoundFrame key={code} code={code} onFound={goTo} />
      )}
    </div>
  );
}

function FoundFrame({ code, onFound }: { code: string; onFound: (code: string) => void }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { data, isPending, error } = useQuery(deviceQuery(code));
  if (isPending) return <ConfirmSkeleton />;
  if (!data) return <FindFrame typed={code} error={error} onFound={onFound} />;
  return <ConfirmFrame device={data} onOther={() => navigate(pathname, { replace: true, state: null })} />;
}
