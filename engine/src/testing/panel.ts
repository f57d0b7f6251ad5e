import type { Calibration } from '../types.ts';

/** A display with the lens geometry of a Portrait at a quarter of its size. */
export const PANEL: Calibration = {
  serial: 'LKG-P00001',
  screen: { width: 384, height: 512 },
  dpi: 81,
  pitch: 52,
  slope: -7,
  center: 0.5,
  invView: true,
  flipImageX: false,
  flipImageY: false,
  flipSubp: false,
  cellPatternMode: 0,
  cells: [],
};
