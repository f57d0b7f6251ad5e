import { expect, test } from 'vitest';
import type { Progress } from '../types.ts';
import { trackSteps } from './progress.ts';

test('fractions never fall, are not told too finely, and every new step is told', () => {
  const told: Progress[] = [];
  const steps = trackSteps((progress) => told.push(progress));
  steps.at('open', 0);
  steps.at('crop', 0.1);
  steps.at('crop', 0.104);
  steps.at('depth', 0.05);
  steps.at('depth', 0.6);
  steps.at('depth', 1);
  expect(told).toEqual([
    { step: 'open', fraction: 0 },
    { step: 'crop', fraction: 0.1 },
    { step: 'depth', fraction: 0.104 },
    { step: 'depth', fraction: 0.6 },
    { step: 'depth', fraction: 1 },
  ]);
});

test('the end is told even when it is near', () => {
  const told: number[] = [];
  const steps = trackSteps(({ fraction }) => told.push(fraction));
  steps.at('check', 0.995);
  steps.at('check', 1);
  expect(told).toEqual([0.995, 1]);
});

test('times are summed over the visits of a step', () => {
  let now = 0;
  const steps = trackSteps(undefined, () => now);
  steps.at('layers', 0);
  now = 10;
  steps.at('views', 0.2);
  now = 15;
  steps.at('layers', 0.3);
  now = 18;
  expect(steps.finish()).toEqual({ layers: 13, views: 5 });
});
