import { type DeviceType, type EffectParam, type FileKind, type Format, MEDIA_TYPE } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceTypesQuery, effectsQuery, percentOf } from '../../api/device-types.ts';
import { useSession } from '../../api/session.ts';
import { localStored } from '../../api/stored.ts';

const REMEMBERED = 'upload.deviceType';
/** Device types in the group of those used last. */
const MOST_RECENT = 3;
const DEFAULT_PERCENT = 100;

/** Returns 100 % if offered, the highest strength otherwise. */
export function defaultEffect(effects: readonly EffectParam[]): EffectParam | undefined {
  const byStrength = effects.toSorted((a, b) => percentOf(a) - percentOf(b));
  return byStrength.find((effect) => percentOf(effect) === DEFAULT_PERCENT) ?? byStrength.at(-1);
}

/** Returns the effect of a percentage if it is offered, the default one otherwise. */
export function effectOf(effects: readonly EffectParam[], percent: number | undefined): EffectParam | undefined {
  return effects.find((one) => percentOf(one) === percent) ?? defaultEffect(effects);
}

/** Returns the requested device type, otherwise the last used one, otherwise the first. */
export function defaultDevice(
  devices: readonly DeviceType[],
  wanted: number | undefined,
  remembered: readonly number[],
): DeviceType | undefined {
  const withId = (id: number | undefined) => devices.find((device) => device.id === id);
  return withId(wanted) ?? remembered.map(withId).find((device) => device !== undefined) ?? devices[0];
}

/** Kinds of device in the order in which they are offered, and the native formats by which they are told. */
const KINDS = {
  web: ['wiggle', 'wiggle_mp4', 'wiggle_gif'],
  lightField: ['quilt', 'native', 'rgbd'],
  lenticular: ['2x1'],
  headsets: ['spatial', 'vr180', 'sbs', 'tb'],
  screens: ['hsbs', 'htb', 'mpo', 'jps'],
  glasses: ['anaglyph', 'cross'],
  plain: [],
} as const satisfies Record<string, readonly Format[]>;
export type DeviceGroup = keyof typeof KINDS | 'recent';

function kindOf({ format }: DeviceType): keyof typeof KINDS {
  const found = Object.entries(KINDS).find(([, formats]) => (formats as readonly string[]).includes(format));
  return (found?.[0] ?? 'plain') as keyof typeof KINDS;
}

/** Returns the device types by kind, those that were used last first of all. Each is in one group. */
export function groupDevices(
  devices: readonly DeviceType[],
  recent: readonly number[],
): { readonly group: DeviceGroup; readonly devices: DeviceType[] }[] {
  const used = recent.flatMap((id) => devices.find((device) => device.id === id) ?? []);
  const rest = devices.filter((device) => !used.includes(device));
  return [
    { group: 'recent' as const, devices: used },
    ...(Object.keys(KINDS) as (keyof typeof KINDS)[]).map((group) => ({
      group,
      devices: rest.filter((device) => kindOf(device) === group),
    })),
  ].filter((one) => one.devices.length > 0);
}

/** Returns the ids of the device types that were chosen last, the newest first. */
function recall(): number[] {
  return (localStored.get(REMEMBERED) ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0)
    .slice(0, MOST_RECENT);
}

function remember(id: number): void {
  const others = recall().filter((other) => other !== id);
  localStored.set(REMEMBERED, [id, ...others].slice(0, MOST_RECENT).join());
}

/** Returns the chosen device type and strength, and the available options. */
export function useDeviceTypeChoice(wanted: number | undefined, kind: FileKind, enabled: boolean) {
  const session = useSession();
  // Administrators see every change of the list immediately.
  const fresh = session.kind === 'member' && session.user.isAdmin;
  const devices = useQuery({ ...deviceTypesQuery, enabled, ...(fresh && { staleTime: 0 }) });
  const [deviceId, setDeviceId] = useState<number>();
  const [percent, setPercent] = useState<number>();
  // What is used last is grouped as the dialog was opened: an option must not move while it is chosen.
  const [recent] = useState(recall);
  const device = defaultDevice(devices.data ?? [], deviceId ?? wanted, recent);

  const effects = useQuery({ ...effectsQuery(device?.id ?? 0, MEDIA_TYPE[kind]), enabled: device !== undefined });
  const offered = effects.data?.toSorted((a, b) => percentOf(a) - percentOf(b)) ?? [];
  // The strength is kept when the frame changes, if the new frame offers it too.
  const effect = effectOf(offered, percent);

  return {
    devices,
    recent,
    device,
    effects,
    offered,
    effect,
    chooseDevice(id: number) {
      remember(id);
      setDeviceId(id);
    },
    chooseEffect: (chosen: EffectParam) => setPercent(percentOf(chosen)),
    /** Restores a choice that was made before. */
    restore(before: { readonly deviceTypeId: number | undefined; readonly percent: number | undefined }) {
      setDeviceId(before.deviceTypeId);
      setPercent(before.percent);
    },
  };
}

export type DeviceTypeChoice = ReturnType<typeof useDeviceTypeChoice>;
