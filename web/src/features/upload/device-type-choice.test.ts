import type { DeviceType, EffectParam } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { defaultDevice, defaultEffect } from './device-type-choice.ts';

const effect = (id: number, percent: number): EffectParam => ({
  id,
  effect: `${percent}%`,
  device_type_id: id === 0 ? null : 1,
  media_type: id === 0 ? null : 1,
  is_activated: true,
  vip_required: false,
});
const device = (id: number): DeviceType => ({
  id,
  name: `Frame ${id}`,
  note: '',
  ratio: '3,4',
  extendResolution: '2048,1536',
  is_actived: true,
  disparityBudget: 12,
  format: 'quilt',
  quilt: null,
});

describe('what is chosen to begin with', () => {
  it('[R-2.upload-dialog.8] is 100 %', () => {
    expect(defaultEffect([effect(0, 0), effect(5, 120), effect(3, 100), effect(2, 80)])?.effect).toBe('100%');
  });

  it('is the highest strength where 100 % is not on offer', () => {
    expect(defaultEffect([effect(0, 0), effect(2, 80), effect(1, 40)])?.effect).toBe('80%');
    expect(defaultEffect([])).toBeUndefined();
  });

  it('is the frame asked for, else that of last time, else the first', () => {
    const devices = [device(1), device(2), device(3)];
    expect(defaultDevice(devices, 3, [2])?.id).toBe(3);
    expect(defaultDevice(devices, undefined, [99, 2])?.id).toBe(2);
    expect(defaultDevice(devices, 99, [98])?.id).toBe(1);
    expect(defaultDevice([], 1, [1])).toBeUndefined();
  });
});
