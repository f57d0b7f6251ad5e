import type { PairedFrame } from '@framelift/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { unpairFrame } from '../../api/frames.ts';
import { confirm } from '../../ui/confirm.ts';
import { showToast } from '../../ui/toasts.ts';

/** Unpairs a frame after a question that names it. `onGone` moves the focus, which is lost with the frame's buttons. */
export function useUnpair({ id, name }: Pick<PairedFrame, 'id' | 'name'>, onGone: () => void) {
  const { t } = useTranslation('frames');
  const unpairing = useMutation(unpairFrame);
  const run = async () => {
    if (!(await confirm({ title: t('unpairTitle', { name }), content: t('unpairText'), label: t('unpair') }))) return;
    const gone = () => {
      showToast({ kind: 'success', text: t('unpaired', { name }) });
      onGone();
    };
    unpairing.mutateAsync(id).then(gone, () => {});
  };
  return { isPending: unpairing.isPending, run: () => void run() };
}
