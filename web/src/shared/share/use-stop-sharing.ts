import type { Share } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { restoreShare, revokeShare } from '../../api/shares.ts';
import { showToast } from '../../ui/toasts.ts';

/** Ends a public link immediately and offers to undo it. `onStopped` runs before the toast. */
export function useStopSharing(onStopped?: () => void) {
  const { t } = useTranslation('share');
  const { t: common } = useTranslation();
  const revoke = useMutation(revokeShare);
  const restore = useMutation(restoreShare);
  const undo = (share: Share) =>
    restore.mutateAsync(share).then(
      () => showToast({ kind: 'success', text: t('working') }),
      () => {},
    );
  return {
    isPending: revoke.isPending,
    run: (share: Share) => {
      const stopped = () => {
        onStopped?.();
        showToast({
          kind: 'info',
          text: t('stopped'),
          action: { label: common('undo'), run: () => void undo(share) },
        });
      };
      // Not as a callback of `mutate`, which is not called if the component unmounts first.
      revoke.mutateAsync(share).then(stopped, () => {});
    },
  };
}
