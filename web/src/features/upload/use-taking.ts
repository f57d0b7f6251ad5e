import type { ErrorCode, FileKind } from '@framelift/contract';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../../api/session.ts';
import { errorText } from '../../i18n/error-text.ts';
import { showAlert } from '../../ui/alerts.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { type Taken, takeFiles } from './take-files.ts';
import { useAcceptedTypes } from './use-accepted-types.ts';

interface Taking {
  /** Why the single file chosen last was refused. */
  readonly problem: ErrorCode | null;
  /** Without `kind` the content of each file decides. */
  readonly take: (files: readonly File[], kind?: FileKind) => Promise<void>;
  readonly refuse: (code: ErrorCode) => Promise<void>;
  /** Does something after the files that are being looked at, and before those that are chosen meanwhile. */
  readonly inTurn: (act: () => Promise<void>) => Promise<void>;
}

/** Sorts chosen files. A single one that is refused is told in an alert; among several it is listed with its reason. */
export function useTaking({
  onTaken,
  onRedeem,
}: {
  readonly onTaken: (files: Taken) => void;
  readonly onRedeem: () => void;
}): Taking {
  const { t } = useTranslation('upload');
  const session = useSession();
  const navigate = useNavigate();
  const accepted = useAcceptedTypes();
  const [problem, setProblem] = useState<ErrorCode | null>(null);
  const allowsVideos = session.kind === 'member' && session.user.videoSeconds > 0;

  const refuse = async (code: ErrorCode) => {
    setProblem(code);
    if (code === 'not_VIP' && session.kind === 'member') {
      const { button } = await showAlert({
        title: t('vip.title'),
        content: errorText(code),
        buttons: [
          { value: 'later', label: t('vip.later') },
          { value: 'plans', label: t('vip.plans') },
          { value: 'redeem', label: t('vip.redeem'), look: 'primary' },
        ],
      });
      if (button === 'redeem') onRedeem();
      if (button === 'plans') await navigate('/subscribe');
      return;
    }
    const title = code === 'upload_up_to_limit' ? t('tooLargeTitle') : t('oops');
    await showAlert({ title, content: errorText(code), ms: UI_LIMITS.alertMs });
  };
  const asksIfMoving = async () => {
    const { button } = await showAlert({
      title: t('moving.title'),
      content: t('moving.text'),
      buttons: [
        { value: 'still', label: t('moving.still') },
        { value: 'moving', label: t('moving.keep'), look: 'primary' },
      ],
    });
    return button === null ? null : button === 'moving';
  };
  const latest = useRef(onTaken);
  latest.current = onTaken;
  const before = useRef(Promise.resolve());
  const takeNext = async (files: readonly File[], kind?: FileKind) => {
    const found = await takeFiles(files, { accepted, allowsVideos, asksIfMoving, ...(kind && { kind }) });
    const [only] = found.refused;
    if (files.length === 0) return void refuse('noImageSelected');
    if (files.length === 1 && only) return void refuse(only.code);
    // The question about animations was closed.
    if (found.taken.length + found.refused.length === 0) return;
    // Rendered at once, so that the files chosen meanwhile find these.
    flushSync(() => {
      setProblem(null);
      latest.current(found);
    });
  };
  const inTurn = (act: () => Promise<void>) => {
    const acting = before.current.then(act);
    before.current = acting.catch(() => undefined);
    return acting;
  };
  const take = (files: readonly File[], kind?: FileKind) => inTurn(() => takeNext(files, kind));
  return { problem, take, refuse, inTurn };
}
