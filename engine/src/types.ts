import type { Anaglyph, Format, VideoFormat } from '@framelift/contract/formats';

/** An 8-bit sRGB picture, upright, without alpha: RGB interleaved, `width * height * 3` bytes. */
export interface Picture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Where a depth map came from. Stored with every result so that it can be re-converted when a better source arrives. */
export type DepthSource = 'basic' | 'embedded' | 'member' | `model:${string}`;

/**
 * Relative inverse depth: 0 far … 1 near, row by row, same aspect as its picture (any size).
 * Always finite; a flat map is all 0.5.
 */
export interface DepthMap {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
  readonly source: DepthSource;
  /** Already stretched to its range and painted over: stretching it again would undo what was painted. */
  readonly ranged?: true;
}

/** A rectangle in upright source pixels, integers, origin top left. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Centres of red, green and blue within a pixel: right and up from its middle, in pixels. */
export type SubpixelCell = readonly [
  red: readonly [x: number, y: number],
  green: readonly [x: number, y: number],
  blue: readonly [x: number, y: number],
];

/** What a light-field display measured of its own lens, as in its `visual.json`; see `parseCalibration`. */
export interface Calibration {
  readonly serial: string | null;
  /** Pixels of the panel. */
  readonly screen: Size;
  readonly dpi: number;
  /** Lenses an inch. */
  readonly pitch: number;
  readonly slope: number;
  readonly center: number;
  readonly invView: boolean;
  readonly flipImageX: boolean;
  readonly flipImageY: boolean;
  /** Blue lies on the left of a pixel. */
  readonly flipSubp: boolean;
  /** Which cell a pixel has, see `lenticular.ts`; without cells the colours are stripes. */
  readonly cellPatternMode: 0 | 1 | 2 | 3 | 4;
  readonly cells: readonly SubpixelCell[];
}

/** How the still formats are made. */
export interface StillOptions {
  /** The right eye where the left one belongs, for cross-eyed viewing or a display that exchanges them. */
  readonly swapEyes?: boolean;
  /** `dubois` when absent. */
  readonly anaglyph?: Anaglyph;
  /** Of the one display that `native` is made for. */
  readonly calibration?: Calibration;
}

/** `best`: subject matting about three times a second, carried between by motion. `fast`: the scene network alone. */
export const VIDEO_TIERS = ['best', 'fast'] as const;
export type VideoTier = (typeof VIDEO_TIERS)[number];

/**
 * A correction that a member painted over the depth, in shares of the crop (0 … 1, origin top left).
 * `near` and `far` move what lies under the brush by `amount` (0 … 1), `flatten` draws it towards its median.
 */
export interface Stroke {
  readonly kind: 'near' | 'far' | 'flatten';
  /** Of the brush, as a share of the crop's width. */
  readonly radius: number;
  readonly amount: number;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A grid of views. View 0 is the bottom-left tile and the leftmost camera. */
export interface QuiltGrid {
  readonly columns: number;
  readonly rows: number;
  /** Size of the whole quilt in pixels; spare pixels (not divisible) lie at the top and right. */
  readonly width: number;
  readonly height: number;
  /** Width / height of the display, as written into the file name. */
  readonly aspect: number;
}

/** What the engine must know about a kind of display frame. A device type row of the database is turned into this. */
export interface DeviceProfile {
  readonly slug: string;
  readonly name: string;
  /** Aspect the picture is cropped to, width : height. */
  readonly ratio: readonly [number, number];
  /** Pixels of the panel. */
  readonly resolution: Size;
  /** The device's own format. */
  readonly format: Format;
  readonly quilt?: QuiltGrid;
  /** Comfort: largest total sweep (outermost left to outermost right view) in percent of the view's width. */
  readonly disparityBudget: number;
}

export const STEPS = ['open', 'crop', 'depth', 'layers', 'views', 'pack', 'check'] as const;
export type Step = (typeof STEPS)[number];

/** `fraction` is 0 … 1 over the whole conversion, never falling. */
export interface Progress {
  readonly step: Step;
  readonly fraction: number;
  /** Videos only: frames done and in all, and an estimate of the seconds left (null while none can be made). */
  readonly video?: { readonly frame: number; readonly frames: number; readonly secondsLeft: number | null };
}

export interface Comfort {
  /** Disparity between the outermost views after clamping, percent of the width. */
  readonly largestDisparityPercent: number;
  /** What the member asked for, before clamping to the device's budget. */
  readonly wishedDisparityPercent: number;
  readonly clamped: boolean;
  /** Share (0 … 1) of the left and right edge rows where something stands in front of the frame. */
  readonly windowViolation: number;
}

export interface OutputFile {
  readonly format: Format;
  /** File name as a device expects it, e.g. `shop_qs8x6a0.75.jpg`. */
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

interface CommonRequest {
  /** Path of the uploaded file. Its type is judged by its bytes. */
  readonly input: string;
  readonly device: DeviceProfile;
  /** Effect percent, 0 … 100. 0 makes only `flat`. */
  readonly effect: number;
  /** In upright pixels of the source; the largest of the device's ratio when absent. */
  readonly crop?: Rect;
  /** Existing, empty folder for the results. Every file appears there complete or not at all. */
  readonly outDir: string;
  /** Stem of the file names; path separators and reserved characters are removed. */
  readonly name: string;
  /** Depth (0 … 1) that lies in the plane of the frame; chosen from the subject when absent. */
  readonly convergence?: number;
}

export interface PictureRequest extends CommonRequest, StillOptions {
  readonly kind: 'picture';
  /** Formats to make; the device's own when absent. */
  readonly formats?: readonly Format[];
  /** Stored 16-bit depth PNG of the same crop: skips the estimate (re-export). */
  readonly depth?: { readonly path: string; readonly source: DepthSource };
  /** Corrections painted over the depth, in their order. */
  readonly strokes?: readonly Stroke[];
  /** Also write the files the browser preview needs (see `PreviewFiles`). */
  readonly preview?: boolean;
  /** Also put the files of all formats into one `<name>.zip`. */
  readonly archive?: boolean;
}

export interface VideoRequest extends CommonRequest {
  readonly kind: 'video';
  readonly tier: VideoTier;
  /** The device's own format when absent. */
  readonly format?: VideoFormat;
  /**
   * Folder for finished segments, kept between tries: the same request with the same folder goes on after the last
   * segment that was finished. The caller removes it after success or final failure.
   */
  readonly workDir: string;
}

export type ConvertRequest = PictureRequest | VideoRequest;

/** What a request of each kind becomes. */
export interface ConvertResults {
  readonly picture: PictureResult;
  readonly video: VideoResult;
}

interface CommonResult {
  readonly depthSource: DepthSource | null;
  readonly comfort: Comfort | null;
  /** Upright size of the source and the rectangle that was cut. */
  readonly source: Size;
  readonly crop: Rect;
  /** Milliseconds per step. */
  readonly times: Partial<Record<Step, number>>;
  readonly peakRssMb: number;
}

export interface PictureResult extends CommonResult {
  readonly files: readonly OutputFile[];
  /** Null when none was asked for. */
  readonly archive: ArchiveFile | null;
  /** 16-bit grey PNG of the depth used, or null for effect 0. */
  readonly depthFile: string | null;
  readonly preview: PreviewFiles | null;
}

export interface VideoResult extends CommonResult {
  readonly file: OutputFile;
  /** JPEG, 500 px wide: a frame of the crop. */
  readonly cover: string;
  readonly frames: number;
  readonly seconds: number;
  /** What people should know: subtitles left behind, sound in a codec that could not be read … (codes). */
  readonly notes: readonly string[];
  /** Segments found finished at the start. */
  readonly resumedSegments: number;
}

/** Small files for the WebGL preview and lists; all JPEG/PNG beside the results. */
export interface PreviewFiles {
  /** Crop, long side ≤ 1280, JPEG. */
  readonly colour: string;
  /** 8-bit grey PNG, same aspect, 255 near. */
  readonly depth: string;
  /** Filled-in background layer, JPEG, same size as `colour`. */
  readonly background: string;
  readonly backgroundDepth: string;
  /** 500 px wide JPEG of the crop. */
  readonly cover: string;
}

/** All files of a conversion in one. */
export interface ArchiveFile {
  readonly name: string;
  readonly path: string;
  readonly type: 'application/zip';
  readonly bytes: number;
}
