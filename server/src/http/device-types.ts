import { listDeviceTypes, listEffects } from '../domain/device-type/device-types.ts';
import type { Handlers } from './endpoint.ts';

export const deviceTypeHandlers = {
  getDeviceType: ({ context }) => listDeviceTypes(context),
  effect_params: async ({ context, actor, input }) => ({
    // A device type has few, so they fit on one page.
    items: await listEffects(context, actor, input),
    next: null,
  }),
} satisfies Partial<Handlers>;
