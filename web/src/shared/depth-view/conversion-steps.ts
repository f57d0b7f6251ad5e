import type { MediaDetail } from '@framelift/contract';

/** What people see of a conversion, in order. The first two were done before it began. */
export const SHOWN_STEPS = ['sent', 'checked', 'depth', 'views', 'done'] as const;
export type ShownStep = (typeof SHOWN_STEPS)[number];

const SHOWN: Record<MediaDetail['step'], ShownStep> = {
  waiting: 'depth',
  open: 'depth',
  crop: 'depth',
  depth: 'depth',
  layers: 'views',
  views: 'views',
  pack: 'views',
  check: 'views',
  done: 'done',
};

/** Whether a shown step is behind us, under way or ahead, while the server works at `step`. */
export function stateOfStep(shown: ShownStep, step: MediaDetail['step']): 'done' | 'now' | 'ahead' {
  const distance = SHOWN_STEPS.indexOf(shown) - SHOWN_STEPS.indexOf(SHOWN[step]);
  if (distance < 0 || step === 'done') return 'done';
  return distance === 0 ? 'now' : 'ahead';
}
