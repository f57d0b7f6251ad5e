/** Where a neural model runs: the processor, or a device that ONNX Runtime has a provider for. */
import { existsSync } from 'node:fs';
import { listSupportedBackends } from 'onnxruntime-node';
import type { DepthMap } from '../../types.ts';
import type { DepthDevice, Device } from './devices.ts';

/** The runtime's names of its execution providers. */
export const PROVIDERS: Readonly<Record<Device, string>> = {
  cpu: 'cpu',
  cuda: 'cuda',
  coreml: 'coreml',
  directml: 'dml',
  webgpu: 'webgpu',
};

/**
 * Devices that are tried without being asked for, best first. WebGPU is not among them: on a machine without a graphics
 * card its driver may draw on the processor, slower than the runtime itself.
 */
const UNASKED: readonly Device[] = ['cuda', 'coreml', 'directml'];
/** Without it the runtime would look for libraries of CUDA and report their absence as an error. */
const NVIDIA = '/dev/nvidiactl';

/** Returns the devices to try before the processor. */
export function devicesToTry(wanted: DepthDevice): readonly Device[] {
  if (wanted === 'cpu') return [];
  if (wanted !== 'auto') return [wanted];
  const names = listSupportedBackends().map(({ name }) => name as string);
  const isLikely = (device: Device) => device !== 'cuda' || process.platform !== 'linux' || existsSync(NVIDIA);
  return UNASKED.filter((device) => names.includes(PROVIDERS[device]) && isLikely(device));
}

/** Largest mean difference, of a range of 1, between two devices that agree; half precision alone gives 0.002. */
const MOST_DIFFERENCE = 0.02;

/** Returns why a device's depth of a picture cannot be trusted, or null if it is that of the processor. */
export function disagreement(ofDevice: DepthMap, ofProcessor: DepthMap): string | null {
  const { data, width, height } = ofDevice;
  if (width !== ofProcessor.width || height !== ofProcessor.height) return 'its depth has another size';
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += Math.abs((data[i] as number) - (ofProcessor.data[i] as number));
  const mean = sum / data.length;
  if (mean <= MOST_DIFFERENCE) return null;
  return `its depth differs by ${(100 * mean).toFixed(1)} % from the processor's`;
}
