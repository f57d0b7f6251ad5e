export const DEVICES = ['cpu', 'cuda', 'coreml', 'directml', 'webgpu'] as const;
export type Device = (typeof DEVICES)[number];

/** Values of the setting `DEPTH_DEVICE`. `auto`: the first device that works and agrees with the processor. */
export const DEPTH_DEVICES = ['auto', ...DEVICES] as const;
export type DepthDevice = (typeof DEPTH_DEVICES)[number];
