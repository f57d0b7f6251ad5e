import { CONVERSION_STEPS } from '@framelift/contract';
import { expect, it } from 'vitest';
import { SHOWN_STEPS, stateOfStep } from './conversion-steps.ts';

const states = (step: (typeof CONVERSION_STEPS)[number]) => SHOWN_STEPS.map((shown) => stateOfStep(shown, step));

it('has sent and checked behind it from the first moment on', () => {
  expect(states('waiting')).toEqual(['done', 'done', 'now', 'ahead', 'ahead']);
});

it('goes on with the steps of the server and never back', () => {
  expect(states('depth')).toEqual(['done', 'done', 'now', 'ahead', 'ahead']);
  expect(states('pack')).toEqual(['done', 'done', 'done', 'now', 'ahead']);
  expect(states('done')).toEqual(['done', 'done', 'done', 'done', 'done']);
  let behind = 0;
  for (const step of CONVERSION_STEPS) {
    const now = states(step).filter((state) => state === 'done').length;
    expect(now).toBeGreaterThanOrEqual(behind);
    behind = now;
  }
});
