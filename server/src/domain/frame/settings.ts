import { ApiError, api, type InputOf, type OwnFrame } from '@framelift/contract';
import { otherDisplay, parseCalibration } from '@framelift/engine/formats';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { findDeviceTypeRow, listActiveDeviceTypes } from '../device-type/device-type.sql.ts';
import { deviceProfile, getActiveDeviceType } from '../device-type/device-types.ts';
import { asApiError } from '../media/engine-errors.ts';
import { type FrameRow, findFramesForUpdate, updateFrame } from './frame.sql.ts';
import { getFrame, getOwnFrame } from './frames.ts';
import { modeOf, optionsOf } from './options.ts';
import { enqueuePreparation } from './prepare.ts';

interface ById {
  readonly id: string;
}
type Change = Parameters<typeof updateFrame>[2];

/** Changes the given options. @throws ApiError `frameNotFound`; `calibrationMissing` for the mode `native` without one */
export function setOptions(
  context: Context,
  actor: Actor,
  { id }: ById,
  input: InputOf<typeof api.setFrameOptions>,
): Promise<OwnFrame> {
  return change(context, actor, id, async (_tx, frame) => {
    if (input.mode === 'native' && frame.calibration === null) throw new ApiError('calibrationMissing');
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    return { options: { ...frame.options, ...given } };
  });
}

/** Sets the type of device, and the mode that it plays in. @throws ApiError `frameNotFound`, `unknownDeviceType` */
export function setDevice(
  context: Context,
  actor: Actor,
  { id }: ById,
  { device_type_id: deviceTypeId }: InputOf<typeof api.setFrameDevice>,
): Promise<OwnFrame> {
  return change(context, actor, id, async (tx, frame) => {
    if (deviceTypeId === frame.deviceTypeId) return {};
    const device = deviceTypeId === null ? undefined : await getActiveDeviceType(tx, deviceTypeId);
    const mode = modeOf(device);
    const isCalibrated = mode === 'quilt' && frame.calibration !== null;
    return { deviceTypeId, options: { ...frame.options, mode: isCalibrated ? 'native' : mode } };
  });
}

/**
 * Stores a calibration, with which the frame draws for its panel itself; null removes it. A frame without a type of device
 * gets the one whose panel it is of.
 * @throws ApiError `frameNotFound`, `calibrationInvalid`, `calibrationOfOther`
 */
export function setCalibration(
  context: Context,
  actor: Actor,
  { id }: ById,
  { calibration }: InputOf<typeof api.setFrameCalibration>,
): Promise<OwnFrame> {
  return change(context, actor, id, async (tx, frame) => {
    const { mode } = optionsOf(frame);
    if (calibration === null)
      return { calibration, ...(mode === 'native' && { options: { ...frame.options, mode: 'quilt' } }) };
    const device = await deviceOf(tx, frame, calibration);
    return { calibration, deviceTypeId: device?.id ?? null, options: { ...frame.options, mode: 'native' } };
  });
}

/** Returns the type of device of a frame with this calibration. */
async function deviceOf(tx: Tx, frame: FrameRow, text: string) {
  try {
    const calibration = parseCalibration(text);
    if (frame.deviceTypeId !== null) {
      const device = await findDeviceTypeRow(tx, frame.deviceTypeId);
      const display = device && otherDisplay(calibration, deviceProfile(device));
      if (device && display) throw new ApiError('calibrationOfOther', [], { values: { display, device: device.name } });
      return device;
    }
    const { width, height } = calibration.screen;
    return (await listActiveDeviceTypes(tx)).find((device) => {
      const { quilt, resolution } = deviceProfile(device);
      return quilt && resolution.width === width && resolution.height === height;
    });
  } catch (error) {
    throw asApiError(error, api.setFrameCalibration);
  }
}

async function change(
  context: Context,
  actor: Actor,
  id: string,
  decide: (tx: Tx, frame: FrameRow) => Promise<Change>,
): Promise<OwnFrame> {
  await getOwnFrame(context.db, actor, id);
  await context.db.transaction(async (tx) => {
    const [frame] = await findFramesForUpdate(tx, [id]);
    if (!frame) throw new ApiError('frameNotFound');
    const values = await decide(tx, frame);
    if (Object.keys(values).length > 0) await updateFrame(tx, id, values);
    await enqueuePreparation(context, tx, id);
  });
  context.changes.changed(id);
  return getFrame(context, actor, { id });
}
