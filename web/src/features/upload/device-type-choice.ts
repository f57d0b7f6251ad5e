import { type DeviceType, type EffectParam, MEDIA_TYPE } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceTypesQuery, effectsQuery, percentOf } from '../../api/device-types.ts';
import { useSession } from '../../api/session.ts';
import type { FileKind } from './file-rules.ts';

const REMEMBERED = 'upload.deviceType';
const DEFAULT_PERCENT = 100;

/** Returns 100 % if offered, the highest strength otherwise. */
export function defaultEffect(effects: readonly EffectParam[]): EffectParam | undefined {
  const byStrength = effects.toSorted((a, b) => percentOf(a) - percentOf(b));
  return byStrength.find((effect) => percentOf(effect) === DEFAULT_PERCENT) ?? byStrength.at(-1);
}

/** Returns the requested device type, otherwise the last used one, otherwise the first. */
export function defaultDevice(
  devices: readonly DeviceType[],
  wanted: number | undefined,
  remembered: number | undefined,
): DeviceType | undefined {
  const withId = (id: number | undefined) => devices.find((device) => device.id === id);
  return withId(wanted) ?? withId(remembered) ?? devices[0];
}

function recall(): number | undefined {
  try {
    return Number(localStorage.getItem(REMEMBERED) ?? Number.NaN);
  } catch {
    return undefined;
  }
}

function remember(id: number): void {
  try {
    localStorage.setItem(REMEMBERED, String(id));
  } catch {
    // Without storage the choice is not remembered.
  }
}

/** Returns the chosen device type and strength, and the available options. */
export function useDeviceTypeChoice(wanted: number | undefined, kind: FileKind, enabled: boolean) {
  const session = useSession();
  // Administrators see every change of the list immediately.
  const fresh = session.kind === 'member' && session.user.isAdmin;
  const devices = useQuery({ ...deviceTypesQuery, enabled, ...(fresh && { staleTime: 0 }) });
  const [deviceId, setDeviceId] = useState<number>();
  const [percent, setPercent] = useState<number>();
  const device = defaultDevice(devices.data ?? [], deviceId ?? wanted, recall());

  const effects = useQuery({ ...effectsQuery(device?.id ?? 0, MEDIA_TYPE[kind]), enabled: device !== undefined });
  const offered = effects.data?.toSorted((a, b) => percentOf(a) - percentOf(b)) ?? [];
  // The strength is kept when the frame changes, if the new frame offers it too.
  const effect = offered.find((one) => percentOf(one) === percent) ?? defaultEffect(offered);

  return {
    devices,
    device,
    effects,
    offered,
    effect,
    chooseDevice(id: number) {
      remember(id);
      setDeviceId(id);
    },
    chooseEffect: (chosen: EffectParam) => setPercent(percentOf(chosen)),
  };
}

export type DeviceTypeChoice = ReturnType<typeof useDeviceTypeChoice>;
