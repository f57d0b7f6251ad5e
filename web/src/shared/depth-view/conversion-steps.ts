import type { MediaDetail } from '@framelift/contract';

/** Conversion steps shown to the user, in order. The first two were completed before the conversion began. */
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

/** Returns the state of a shown step while the server is at `step`. */
export function stateOfStep(shown: ShownStep, step: MediaDetail['step']): 'done' | 'now' | 'ahead' {
  const distance = SHOWN_STEPS.indexOf(shown) - SHOWN_STEPS.indexOf(SHOWN[step]);
  if (distance < 0 || step === 'done') return 'done';
  return distance === 0 ? 'now' : 'ahead';
}
