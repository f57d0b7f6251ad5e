import { api } from '@framelift/contract';
import { addDevice, findDevice, refuseDevice } from '../domain/frame/add-device.ts';
import { beat, getFrames, getThisFrame, leaveFrame, renameFrame, unpairFrame } from '../domain/frame/frames.ts';
import { pollFrame, startFrame } from '../domain/frame/start.ts';
import type { Mount } from './endpoint.ts';

export function mountFrames(mount: Mount): void {
  mount(api.startFrame, ({ context, input }) => startFrame(context, input));
  mount(api.pollFrame, ({ context, input }) => pollFrame(context, input));
  mount(api.findDevice, ({ context, actor, input }) => findDevice(context, actor, input));
  mount(api.addDevice, ({ context, actor, input }) => addDevice(context, actor, input));
  mount(api.refuseDevice, ({ context, actor, input }) => refuseDevice(context, actor, input));
  mount(api.frames, ({ context, actor, input }) => getFrames(context, actor, input));
  mount(api.renameFrame, ({ context, actor, input }) => renameFrame(context, actor, input));
  mount(api.unpairFrame, ({ context, actor, input }) => unpairFrame(context, actor, input));
  mount(api.thisFrame, ({ context, actor }) => getThisFrame(context, actor));
  mount(api.frameHeartbeat, ({ context, actor, input }) => beat(context, actor, input));
  mount(api.leaveFrame, ({ context, actor }) => leaveFrame(context, actor));
}
