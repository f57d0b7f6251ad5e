import { FORMATS, type Format } from '@framelift/contract/formats';
import type { Calibration, DeviceProfile, QuiltGrid, Size } from '../types.ts';

/*
 * Disparity budgets: largest disparity between the outermost views, in percent of the view's width.
 *
 * Light fields blur objects far from the panel: an object is sharp while neighbouring views differ by little more than
 * half a pixel of a tile. 48 views on 420 px (Portrait) support 12 % of the width, about 9 % of the long side; the 66
 * views of an upright 9:16 panel support more, up to the cap of 15 %. From 27 inches on the same percentage is a larger
 * distance in front of and behind the panel, and viewers stand at different distances: 7 % of the long side.
 *
 * Panels with two views are limited by viewing comfort: stereographers stay within 1/30 of the width, and a television
 * in a living room is comfortable at 3 %.
 */
const SMALL_3_4 = 12;
const SMALL_9_16 = 15;
const SMALL_16_9 = 9;
const LARGE_9_16 = 12.5;
const LARGE_16_9 = 7;
const STEREO_PANEL = 3;
/** A plain frame is flat: its stereo formats are viewed with glasses, or as a wiggle. A phone shows a wiggle. */
const PLAIN_FRAME = 6;

const grid = (columns: number, rows: number, width: number, height: number, aspect: number): QuiltGrid => ({
  columns,
  rows,
  width,
  height,
  aspect,
});

/**
 * Device types of a new installation; later they are database rows that an operator edits. Grids are those of Looking
 * Glass Bridge's own templates, those of the 16-inch displays what Bridge reports with one connected. The sources of all
 * are in docs/formats.md.
 */
export const DEVICES: readonly DeviceProfile[] = [
  {
    slug: 'looking-glass-portrait',
    name: 'Looking Glass Portrait',
    ratio: [3, 4],
    resolution: { width: 1536, height: 2048 },
    format: 'quilt',
    quilt: grid(8, 6, 3360, 3360, 0.75),
    disparityBudget: SMALL_3_4,
  },
  {
    slug: 'looking-glass-go',
    name: 'Looking Glass Go',
    ratio: [9, 16],
    resolution: { width: 1440, height: 2560 },
    format: 'quilt',
    quilt: grid(11, 6, 4092, 4092, 0.5625),
    disparityBudget: SMALL_9_16,
  },
  {
    slug: 'looking-glass-16-portrait',
    name: 'Looking Glass 16" portrait',
    ratio: [9, 16],
    resolution: { width: 2160, height: 3840 },
    format: 'quilt',
    quilt: grid(12, 4, 7680, 4320, 0.5625),
    disparityBudget: SMALL_9_16,
  },
  {
    slug: 'looking-glass-16-landscape',
    name: 'Looking Glass 16" landscape',
    ratio: [16, 9],
    resolution: { width: 3840, height: 2160 },
    format: 'quilt',
    quilt: grid(8, 6, 7680, 4320, 1.77778),
    disparityBudget: SMALL_16_9,
  },
  {
    slug: 'looking-glass-27-portrait',
    name: 'Looking Glass 27" portrait',
    ratio: [9, 16],
    resolution: { width: 2880, height: 5120 },
    format: 'quilt',
    quilt: grid(12, 4, 7680, 4320, 0.5625),
    disparityBudget: LARGE_9_16,
  },
  {
    slug: 'looking-glass-27-landscape',
    name: 'Looking Glass 27" landscape',
    ratio: [16, 9],
    resolution: { width: 5120, height: 2880 },
    format: 'quilt',
    quilt: grid(8, 6, 7680, 4320, 1.77778),
    disparityBudget: LARGE_16_9,
  },
  {
    slug: 'looking-glass-32-portrait',
    name: 'Looking Glass 32" portrait',
    ratio: [9, 16],
    resolution: { width: 4320, height: 7680 },
    format: 'quilt',
    quilt: grid(11, 6, 8184, 8184, 0.5625),
    disparityBudget: LARGE_9_16,
  },
  {
    slug: 'looking-glass-32-landscape',
    name: 'Looking Glass 32" landscape',
    ratio: [16, 9],
    resolution: { width: 7680, height: 4320 },
    format: 'quilt',
    quilt: grid(7, 7, 8190, 8190, 1.77778),
    disparityBudget: LARGE_16_9,
  },
  {
    slug: 'looking-glass-65',
    name: 'Looking Glass 65"',
    ratio: [16, 9],
    resolution: { width: 7680, height: 4320 },
    format: 'quilt',
    quilt: grid(8, 9, 8192, 8192, 1.77778),
    disparityBudget: LARGE_16_9,
  },
  {
    slug: '3d-tv',
    name: '3D TV (half side by side)',
    ratio: [16, 9],
    resolution: { width: 3840, height: 2160 },
    format: 'hsbs',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: '3d-tv-passive',
    name: '3D TV, passive glasses (half top-bottom)',
    ratio: [16, 9],
    resolution: { width: 1920, height: 1080 },
    format: 'htb',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'projector-1080p',
    name: '3D projector (half side by side)',
    ratio: [16, 9],
    resolution: { width: 1920, height: 1080 },
    format: 'hsbs',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'leia-2x1',
    name: 'Leia-class panel (2x1)',
    ratio: [16, 10],
    resolution: { width: 2560, height: 1600 },
    format: '2x1',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'leia-lume-pad-2',
    name: 'Leia Lume Pad 2',
    ratio: [16, 10],
    resolution: { width: 2560, height: 1600 },
    format: '2x1',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'samsung-odyssey-3d',
    name: 'Samsung Odyssey 3D (half side by side)',
    ratio: [16, 9],
    resolution: { width: 3840, height: 2160 },
    format: 'hsbs',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'acer-spatiallabs',
    name: 'Acer SpatialLabs (half side by side)',
    ratio: [16, 9],
    resolution: { width: 3840, height: 2160 },
    format: 'hsbs',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'asus-spatial-vision',
    name: 'ASUS Spatial Vision (half side by side)',
    ratio: [16, 10],
    resolution: { width: 3200, height: 2000 },
    format: 'hsbs',
    disparityBudget: STEREO_PANEL,
  },
  // Headsets show a pair on a screen in the room: the resolution is that part of an eye's panel.
  {
    slug: 'apple-vision-pro',
    name: 'Apple Vision Pro',
    ratio: [4, 3],
    resolution: { width: 2560, height: 1920 },
    format: 'spatial',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'meta-quest-3',
    name: 'Meta Quest 3',
    ratio: [16, 9],
    resolution: { width: 2064, height: 1161 },
    format: 'sbs',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'galaxy-xr',
    name: 'Samsung Galaxy XR',
    ratio: [16, 9],
    resolution: { width: 3552, height: 1998 },
    format: 'sbs',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'sbs-glasses',
    name: 'XREAL and other 3D glasses (full side by side)',
    ratio: [16, 9],
    resolution: { width: 1920, height: 1080 },
    format: 'sbs',
    disparityBudget: STEREO_PANEL,
  },
  {
    slug: 'plain-3x4',
    name: 'Plain 3:4 frame',
    ratio: [3, 4],
    resolution: { width: 1536, height: 2048 },
    format: 'flat',
    disparityBudget: PLAIN_FRAME,
  },
  // One flat picture in front of a stage of light.
  {
    slug: 'hololuminescent',
    name: 'Hololuminescent display',
    ratio: [9, 16],
    resolution: { width: 2160, height: 3840 },
    format: 'flat',
    disparityBudget: PLAIN_FRAME,
  },
  {
    slug: 'phone',
    name: 'This phone or the web',
    ratio: [3, 4],
    resolution: { width: 1536, height: 2048 },
    format: 'wiggle',
    disparityBudget: PLAIN_FRAME,
  },
  {
    slug: 'anaglyph-glasses',
    name: 'Red-cyan glasses',
    ratio: [4, 3],
    resolution: { width: 2048, height: 1536 },
    format: 'anaglyph',
    disparityBudget: PLAIN_FRAME,
  },
  // Older displays come last, because they are rare.
  {
    slug: 'looking-glass-kiosk',
    name: 'Looking Glass Kiosk',
    ratio: [9, 16],
    resolution: { width: 1536, height: 2048 },
    format: 'quilt',
    quilt: grid(11, 6, 4092, 4092, 0.5625),
    disparityBudget: SMALL_9_16,
  },
  {
    slug: 'looking-glass-16-gen2',
    name: 'Looking Glass 16" (2nd generation)',
    ratio: [16, 9],
    resolution: { width: 3840, height: 2160 },
    format: 'quilt',
    quilt: grid(5, 9, 4096, 4096, 1.77778),
    disparityBudget: SMALL_16_9,
  },
  {
    slug: 'looking-glass-32-gen2',
    name: 'Looking Glass 32" (2nd generation)',
    ratio: [16, 9],
    resolution: { width: 7680, height: 4320 },
    format: 'quilt',
    quilt: grid(5, 9, 8192, 8192, 1.77778),
    disparityBudget: LARGE_16_9,
  },
  {
    slug: 'looking-glass-8.9',
    name: 'Looking Glass 8.9" (1st generation)',
    ratio: [16, 10],
    resolution: { width: 2560, height: 1600 },
    format: 'quilt',
    quilt: grid(5, 9, 4096, 4096, 1.6),
    disparityBudget: SMALL_16_9,
  },
  {
    slug: 'looking-glass-15.6',
    name: 'Looking Glass 15.6" (1st generation)',
    ratio: [16, 9],
    resolution: { width: 3840, height: 2160 },
    format: 'quilt',
    quilt: grid(5, 9, 4096, 4096, 1.77778),
    disparityBudget: SMALL_16_9,
  },
  {
    slug: 'looking-glass-8k',
    name: 'Looking Glass 8K (1st generation)',
    ratio: [16, 9],
    resolution: { width: 7680, height: 4320 },
    format: 'quilt',
    quilt: grid(5, 9, 8192, 8192, 1.77778),
    disparityBudget: LARGE_16_9,
  },
];

/** Tolerated difference between the ratios of a calibration's screen and of the device's panel. */
const SAME_RATIO = 0.01;

/**
 * Returns the name of the display that a calibration is of, if it cannot be of this device: its panel is that of another
 * display, or has another ratio. Null if it can be, and for devices that are no light field.
 */
export function otherDisplay({ screen }: Calibration, { resolution, quilt }: DeviceProfile): string | null {
  const isPanel = (panel: Size) => panel.width === screen.width && panel.height === screen.height;
  if (!quilt || isPanel(resolution)) return null;
  const known = DEVICES.find((device) => device.quilt && isPanel(device.resolution));
  if (known) return known.name;
  const relative = (screen.width * resolution.height) / (screen.height * resolution.width);
  return Math.abs(relative - 1) > SAME_RATIO ? `${screen.width} × ${screen.height}` : null;
}

type DisplayKind = 'lightField' | 'stereo' | 'plain';

/** Returns the kind of display on which files of a format are shown. */
function displayOf(format: Format): DisplayKind {
  const { views, draw } = FORMATS[format];
  if (views === 'views') return 'lightField';
  return views === 'pair' && draw !== 'anaglyph' && format !== 'cross' ? 'stereo' : 'plain';
}

/**
 * Returns the disparity budget of a file, in percent of the view's width: that of the device, or, if the format is for
 * another kind of display, that of a usual one of this kind.
 */
export function budgetOf(
  format: Format,
  { format: own, ratio: [width, height], disparityBudget }: DeviceProfile,
): number {
  const display = displayOf(format);
  if (display === displayOf(own)) return disparityBudget;
  if (display === 'stereo') return STEREO_PANEL;
  if (display === 'plain') return PLAIN_FRAME;
  if (width >= height) return SMALL_16_9;
  return width / height < 0.66 ? SMALL_9_16 : SMALL_3_4;
}

/** Panel size for half-size pairs when the device is not a 3D TV or projector: a 4K TV. */
const TELEVISION: Size = { width: 3840, height: 2160 };

/**
 * Returns the size of a half side-by-side or half top-bottom picture: for televisions and projectors, that of their
 * panel.
 */
export function panelOf({ format, resolution }: DeviceProfile): Size {
  return format === 'hsbs' || format === 'htb' ? resolution : TELEVISION;
}

/**
 * Returns the quilt grid of a device. One without a grid gets 48 views at the size of a Looking Glass Portrait quilt,
 * with tiles in the orientation of the picture.
 */
export function gridOf(device: DeviceProfile): QuiltGrid {
  if (device.quilt) return device.quilt;
  const aspect = Number((device.ratio[0] / device.ratio[1]).toFixed(5));
  return aspect > 1 ? grid(6, 8, 3360, 3360, aspect) : grid(8, 6, 3360, 3360, aspect);
}
