import { addDevice, findDevice, refuseDevice } from '../domain/frame/add-device.ts';
import {
  getFrame,
  getThisFrame,
  leaveFrame,
  listFrames,
  recordHeartbeat,
  renameFrame,
  unpairFrame,
} from '../domain/frame/frames.ts';
import {
  fitItem,
  listItems,
  moveItem,
  removeItems,
  restoreItems,
  retryItems,
  showOnFrame,
} from '../domain/frame/items.ts';
import { getFeed, getPlaylist } from '../domain/frame/playlist.ts';
import { getFramesOfFriends, getSenders, setSender } from '../domain/frame/senders.ts';
import { setCalibration, setDevice, setOptions } from '../domain/frame/settings.ts';
import { pollFrame, startFrame } from '../domain/frame/start.ts';
import type { Handlers } from './endpoint.ts';

export const frameHandlers = {
  startFrame: ({ context, input }) => startFrame(context, input),
  pollFrame: ({ context, input }) => pollFrame(context, input),
  findDevice: ({ context, actor, input }) => findDevice(context, actor, input),
  addDevice: ({ context, actor, input }) => addDevice(context, actor, input),
  refuseDevice: ({ context, actor, input }) => refuseDevice(context, actor, input),
  frames: ({ context, actor, input }) => listFrames(context, actor, input),
  getFrame: ({ context, actor, params }) => getFrame(context, actor, params),
  frameItems: ({ context, actor, params }) => listItems(context, actor, params),
  showOnFrame: ({ context, actor, input }) => showOnFrame(context, actor, input),
  moveFrameItem: ({ context, actor, params, input }) => moveItem(context, actor, params, input),
  removeFrameItems: ({ context, actor, params, input }) => removeItems(context, actor, params, input),
  restoreFrameItems: ({ context, actor, params, input }) => restoreItems(context, actor, params, input),
  retryFrameItems: ({ context, actor, params }) => retryItems(context, actor, params),
  fitFrameItem: ({ context, actor, params, input }) => fitItem(context, actor, params, input),
  setFrameOptions: ({ context, actor, params, input }) => setOptions(context, actor, params, input),
  setFrameDevice: ({ context, actor, params, input }) => setDevice(context, actor, params, input),
  setFrameCalibration: ({ context, actor, params, input }) => setCalibration(context, actor, params, input),
  frameSenders: ({ context, actor, params }) => getSenders(context, actor, params),
  setFrameSender: ({ context, actor, params, input }) => setSender(context, actor, params, input),
  framesOfFriends: ({ context, actor }) => getFramesOfFriends(context, actor),
  renameFrame: ({ context, actor, input }) => renameFrame(context, actor, input),
  unpairFrame: ({ context, actor, input }) => unpairFrame(context, actor, input),
  thisFrame: ({ context, actor }) => getThisFrame(context, actor),
  framePlaylist: ({ context, actor }) => getPlaylist(context, actor),
  frameFeed: ({ context, actor }) => getFeed(context, actor),
  frameHeartbeat: ({ context, actor, input }) => recordHeartbeat(context, actor, input),
  leaveFrame: ({ context, actor }) => leaveFrame(context, actor),
} satisfies Partial<Handlers>;
