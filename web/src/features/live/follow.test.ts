import { describe, expect, it } from 'vitest';
import { correctionOf } from './follow.ts';

describe('an angle that is shown small', () => {
  it('is left alone while it is less than a tenth of a second away', () => {
    for (const drift of [0, 0.09, -0.09]) expect(correctionOf(drift, true)).toEqual({ kind: 'rate', rate: 1 });
  });

  it('comes closer by a speed that nobody notices while it is less than a second away', () => {
    expect(correctionOf(0.5, true)).toEqual({ kind: 'rate', rate: 0.95 });
    expect(correctionOf(-0.99, true)).toEqual({ kind: 'rate', rate: 1.05 });
  });

  it('jumps from a second on, and at once where everything is paused', () => {
    expect(correctionOf(1, true)).toEqual({ kind: 'seek' });
    expect(correctionOf(-30, true)).toEqual({ kind: 'seek' });
    expect(correctionOf(0.2, true, true)).toEqual({ kind: 'seek' });
  });
});

it('an angle that is not seen yet is brought to its place faster', () => {
  expect(correctionOf(0.6, false)).toEqual({ kind: 'seek' });
  expect(correctionOf(-0.2, false)).toEqual({ kind: 'rate', rate: 1.25 });
});
