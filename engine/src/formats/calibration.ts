import { EngineError } from '../errors.ts';
import type { Calibration, SubpixelCell } from '../types.ts';

/** Largest accepted `visual.json` in characters; real files have about two thousand. */
const LONGEST = 64 * 1024;

/**
 * Smallest accepted side in pixels. Software without a calibration assumes a screen of 250 x 250, smaller than any real
 * panel.
 */
const SMALLEST_SCREEN = 320;
/** Largest accepted side in pixels: 8K, portrait or landscape. */
const LARGEST_SCREEN = 8192;

/** Number of cells used by each cell pattern, by pattern number. */
const CELLS_OF_MODE = [1, 2, 2, 4, 2] as const;

/**
 * Parses the `visual.json` of a light-field display, with each number as `{ "value": n }` or plain. Missing fields
 * (flips, sub-pixel cells, serial number) get the values of older displays, which do not have them.
 *
 * @throws {EngineError} `calibrationInvalid` for any other file, and for implausible values
 */
export function parseCalibration(text: string): Calibration {
  if (text.length > LONGEST) invalid('it is too long');
  let json: unknown;
  try {
    // Windows tools write a byte order mark.
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    invalid('it is not JSON');
  }
  const fields = record(json) ?? invalid('it is not an object');
  const number = (name: string, least: number, most: number, fallback?: number): number => {
    const value = numberOf(fields[name]) ?? fallback ?? invalid(`${name} is missing`);
    if (!(value >= least && value <= most)) invalid(`${name} is ${value}`);
    return value;
  };
  const pixels = (name: string) => {
    const value = number(name, SMALLEST_SCREEN, LARGEST_SCREEN);
    return Number.isInteger(value) ? value : invalid(`${name} is ${value}`);
  };
  const flag = (name: string) => number(name, -1, 1, 0) >= 0.5;

  const slope = number('slope', -1000, 1000);
  // Flatter lenses would run along the rows; zero has no reciprocal.
  if (Math.abs(slope) < 0.1) invalid(`slope is ${slope}`);
  const mode = number('CellPatternMode', 0, CELLS_OF_MODE.length - 1, 0);
  if (!Number.isInteger(mode)) invalid(`CellPatternMode is ${mode}`);
  const cellPatternMode = mode as Calibration['cellPatternMode'];
  const cells = cellsOf(fields['subpixelCells']);
  if (cells.length > 0 && cells.length < CELLS_OF_MODE[cellPatternMode])
    invalid(`CellPatternMode ${mode} needs ${CELLS_OF_MODE[cellPatternMode]} cells, not ${cells.length}`);
  return {
    serial: serialOf(fields['serial']),
    screen: { width: pixels('screenW'), height: pixels('screenH') },
    dpi: number('DPI', 20, 2000),
    pitch: number('pitch', 1, 1000),
    slope,
    center: number('center', -100, 100),
    invView: flag('invView'),
    flipImageX: flag('flipImageX'),
    flipImageY: flag('flipImageY'),
    flipSubp: flag('flipSubp'),
    cellPatternMode,
    cells,
  };
}

function cellsOf(value: unknown): SubpixelCell[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > 16) invalid('subpixelCells is no list of cells');
  return value.map((entry: unknown) => {
    const fields = record(entry) ?? invalid('a sub-pixel cell is not an object');
    const offset = (name: string) => {
      const pixels = numberOf(fields[name]) ?? 0;
      return Math.abs(pixels) <= 2 ? pixels : invalid(`${name} is ${pixels}`);
    };
    const colour = (letter: string) => [offset(`${letter}OffsetX`), offset(`${letter}OffsetY`)] as const;
    return [colour('R'), colour('G'), colour('B')];
  });
}

/** Returns the serial number if it is safe in a file name, otherwise null. */
function serialOf(value: unknown): string | null {
  return typeof value === 'string' && /^[\w-]{1,40}$/.test(value) ? value : null;
}

function numberOf(field: unknown): number | undefined {
  const value = record(field)?.['value'] ?? field;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function invalid(reason: string): never {
  throw new EngineError('calibrationInvalid', `calibration: ${reason}`);
}
