import { addDevice, findDevice, refuseDevice } from '../domain/frame/add-device.ts';
import {
  getThisFrame,
  leaveFrame,
  listFrames,
  recordHeartbeat,
  renameFrame,
  unpairFrame,
} from '../domain/frame/frames.ts';
import { pollFrame, startFrame } from '../domain/frame/start.ts';
import type { Handlers } from './endpoint.ts';

export const frameHandlers = {
  startFrame: ({ context, input }) => startFrame(context, input),
  pollFrame: ({ context, input }) => pollFrame(context, input),
  findDevice: ({ context, actor, input }) => findDevice(context, actor, input),
  addDevice: ({ context, actor, input }) => addDevice(context, actor, input),
  refuseDevice: ({ context, actor, input }) => refuseDevice(context, actor, input),
  frames: ({ context, actor, input }) => listFrames(context, actor, input),
  renameFrame: ({ context, actor, input }) => renameFrame(context, actor, input),
  unpairFrame: ({ context, actor, input }) => unpairFrame(context, actor, input),
  thisFrame: ({ context, actor }) => getThisFrame(context, actor),
  frameHeartbeat: ({ context, actor, input }) => recordHeartbeat(context, actor, input),
  leaveFrame: ({ context, actor }) => leaveFrame(context, actor),
} satisfies Partial<Handlers>;
