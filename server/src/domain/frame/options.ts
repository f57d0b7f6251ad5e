import { FRAME_MODES, type FrameMode, type FrameOptions, LIMITS } from '@framelift/contract';
import type { DeviceTypeRow } from '../device-type/device-type.sql.ts';
import { parseExtendResolution, parseRatio } from '../device-type/wire-format.ts';

const DEFAULTS: FrameOptions = {
  mode: 'parallax',
  intervalSeconds: 30,
  shuffle: false,
  transition: 'fade',
  fit: 'fit',
  sound: false,
  clock: false,
  brightness: 1,
  strength: 1,
  sleep: null,
  timeZone: LIMITS.timeZone,
};

/** Returns all options of a frame: the stored ones, the time zone that it reported, and the defaults of the others. */
export function optionsOf({
  options,
  timeZone,
}: {
  readonly options: Partial<FrameOptions>;
  readonly timeZone: string | null;
}): FrameOptions {
  return { ...DEFAULTS, ...(timeZone !== null && { timeZone }), ...options };
}

/** Returns the mode in which a type of device shows depth. A plain screen shows it by a slow sway. */
export function modeOf(device: Pick<DeviceTypeRow, 'format'> | undefined): FrameMode {
  const { format = '' } = device ?? {};
  if (format === '2x1') return 'sbs';
  const mode = FRAME_MODES.find((name) => name === format) ?? 'parallax';
  return mode === 'flat' ? 'parallax' : mode;
}

/** Browsers of tablets and phones, whose panels have the same numbers of pixels as some light fields. */
const HANDHELD = /ipad|iphone|android/i;
/** Relative difference between the ratios of a screen and of a plain frame that looks like none. */
const SAME_RATIO = 0.02;

/**
 * Returns the type of device that a screen probably is. A light field is recognised by its upright panel: landscape panels
 * of that size are mostly televisions and monitors. A handheld screen can only be a plain frame.
 */
export function guessDevice(
  devices: readonly DeviceTypeRow[],
  {
    kind,
    screenWidth: width,
    screenHeight: height,
  }: Readonly<Record<'screenWidth' | 'screenHeight', number>> & {
    readonly kind: string;
  },
): DeviceTypeRow | undefined {
  const lightField = devices.find((device) => {
    const panel = parseExtendResolution(device.extendResolution);
    return device.quilt && panel.width < panel.height && panel.width === width && panel.height === height;
  });
  if (lightField && !HANDHELD.test(kind)) return lightField;
  return devices.find((device) => {
    const [across, down] = parseRatio(device.ratio);
    return device.format === 'flat' && Math.abs((width * down) / (height * across) - 1) < SAME_RATIO;
  });
}
