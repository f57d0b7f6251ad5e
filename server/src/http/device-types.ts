import { api } from '@framelift/contract';
import { getDeviceTypes, getEffects } from '../domain/device-type/device-types.ts';
import type { Mount } from './endpoint.ts';

export function mountDevices(mount: Mount): void {
  mount(api.getDeviceType, ({ context }) => getDeviceTypes(context));
  mount(api.effect_params, async ({ context, actor, input }) => ({
    // A handful per device type: one page.
    items: await getEffects(context, actor, input),
    next: null,
  }));
}
