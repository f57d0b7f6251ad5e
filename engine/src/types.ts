import type { Note, PictureNote } from '@framelift/contract';
import type { Anaglyph, Format, PairChoice, PairLayout, VideoFormat } from '@framelift/contract/formats';

/** An 8-bit sRGB picture, upright, without alpha: RGB interleaved, `width * height * 3` bytes. */
export interface Picture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Origin of a depth map. Stored with every result to allow re-conversion when a better source becomes available. */
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
  /** Already stretched to its range and edited: stretching again would undo the edits. */
  readonly ranged?: true;
}

/** A rectangle in upright source pixels, integers, origin top left. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Changes to a picture before its crop is cut. Each may be absent. */
export interface PictureEdit {
  /** Degrees clockwise. */
  readonly turn?: 0 | 90 | 180 | 270 | undefined;
  /** Left and right are exchanged before everything else. */
  readonly mirror?: boolean | undefined;
  /** Straightened by these degrees clockwise, at most 45 in either direction. */
  readonly tilt?: number | undefined;
  /** The crop contains the whole picture; what is around it is a blurred copy of it, or this colour. */
  readonly border?: 'blur' | `#${string}` | undefined;
}

/** A rectangle of the upright picture after its edit, see `geometry/picture-edit.ts`. Integers, origin top left. */
export interface Crop extends Rect, PictureEdit {}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Centres of red, green and blue within a pixel: offsets right and up from its centre, in pixels. */
export type SubpixelCell = readonly [
  red: readonly [x: number, y: number],
  green: readonly [x: number, y: number],
  blue: readonly [x: number, y: number],
];

/** Measured lens calibration of one light-field display, as in its `visual.json`; see `parseCalibration`. */
export interface Calibration {
  readonly serial: string | null;
  /** Panel size in pixels. */
  readonly screen: Size;
  readonly dpi: number;
  /** Lenses per inch. */
  readonly pitch: number;
  readonly slope: number;
  readonly center: number;
  readonly invView: boolean;
  readonly flipImageX: boolean;
  readonly flipImageY: boolean;
  /** Blue is on the left of a pixel. */
  readonly flipSubp: boolean;
  /** Assignment of cells to pixels, see `lenticular.ts`; without cells the sub-pixels are stripes. */
  readonly cellPatternMode: 0 | 1 | 2 | 3 | 4;
  readonly cells: readonly SubpixelCell[];
}

/** Options of the still formats. */
export interface StillOptions {
  /** Swaps the eyes, for cross-eyed viewing or a display that exchanges them. */
  readonly swapEyes?: boolean;
  /** Default: `dubois`. */
  readonly anaglyph?: Anaglyph;
  /** Calibration of the one display that `native` is made for. */
  readonly calibration?: Calibration;
  /** `flat` has the aspect of the crop and a longer side of so many pixels at most, instead of the frame's resolution. */
  readonly longestPx?: number;
}

/** `best`: the neural model in use, or subject matting, a few times per second, propagated by motion. `fast`: the scene network. */
export const VIDEO_TIERS = ['best', 'fast'] as const;
export type VideoTier = (typeof VIDEO_TIERS)[number];

/**
 * A depth correction painted by a member, in shares of the crop (0 … 1, origin top left). `near` and `far` shift the
 * depth under the brush by `amount` (0 … 1), `flatten` moves it towards its median.
 */
export interface Stroke {
  readonly kind: 'near' | 'far' | 'flatten';
  /** Brush radius as a share of the crop's width. */
  readonly radius: number;
  readonly amount: number;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A quilt: grid of views. View 0 is the bottom-left tile and the leftmost camera. */
export interface QuiltGrid {
  readonly columns: number;
  readonly rows: number;
  /** Size of the whole quilt in pixels; remainder pixels (if not divisible) are at the top and right. */
  readonly width: number;
  readonly height: number;
  /** Width / height of the display, as written into the file name. */
  readonly aspect: number;
}

/** Properties of a type of display frame that the engine needs. Derived from a device type row of the database. */
export interface DeviceProfile {
  readonly slug: string;
  readonly name: string;
  /** Aspect ratio to which the picture is cropped, width : height. */
  readonly ratio: readonly [number, number];
  /** Panel size in pixels. */
  readonly resolution: Size;
  /** The device's own format. */
  readonly format: Format;
  readonly quilt?: QuiltGrid;
  /** Comfort limit: largest total sweep (outermost left to outermost right view) in percent of the view's width. */
  readonly disparityBudget: number;
}

export const STEPS = ['open', 'crop', 'depth', 'layers', 'views', 'pack', 'check'] as const;
export type Step = (typeof STEPS)[number];

/** `fraction` is 0 … 1 over the whole conversion and never decreases. */
export interface Progress {
  readonly step: Step;
  readonly fraction: number;
  /** Videos only: finished and total frames, and estimated seconds left (null if unknown). */
  readonly video?: { readonly frame: number; readonly frames: number; readonly secondsLeft: number | null };
}

export interface Comfort {
  /** Disparity between the outermost views after clamping, in percent of the width. */
  readonly largestDisparityPercent: number;
  /** Requested value, before clamping to the device's budget. */
  readonly wishedDisparityPercent: number;
  readonly clamped: boolean;
  /** Share (0 … 1) of the left and right edge rows with content in front of the frame (stereo window violation). */
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
  /** Path of the uploaded file. The type is detected from its content. */
  readonly input: string;
  readonly device: DeviceProfile;
  /** Effect in percent, 0 … 100. 0 makes only `flat`. */
  readonly effect: number;
  /** In pixels of the upright source as edited; default: the largest rectangle of the device's ratio. */
  readonly crop?: Crop;
  /** Existing, empty folder for the results. Every file in it is complete or absent. */
  readonly outDir: string;
  /** Stem of the file names; path separators and reserved characters are removed. */
  readonly name: string;
  /** Depth (0 … 1) shown in the plane of the frame; chosen from the subject if absent. */
  readonly convergence?: number;
}

export interface PictureRequest extends CommonRequest, StillOptions {
  readonly kind: 'picture';
  /** Formats to make; default: the device's own. */
  readonly formats?: readonly Format[];
  /**
   * What the member says about a picture of both eyes; looked for by `fileName` and content if absent. The crop is always
   * in pixels of the picture that `probe` describes.
   */
  readonly pair?: PairChoice;
  /** Name of the file as it was uploaded, which may say how a pair is packed; `name` if absent. */
  readonly fileName?: string;
  /** Stored 16-bit depth PNG of the same crop; skips the estimate (re-export). */
  readonly depth?: { readonly path: string; readonly source: DepthSource };
  /** Colour behind transparent parts, `#rrggbb`; by default one on which the picture can be seen. */
  readonly ground?: `#${string}`;
  /** Depth corrections, in the order of painting. */
  readonly strokes?: readonly Stroke[];
  /** Also writes the files of the browser preview (see `PreviewFiles`). */
  readonly preview?: boolean;
  /** Also writes the files of all formats to one `<name>.zip`. */
  readonly archive?: boolean;
  /** Date of the files in the archive, in milliseconds since 1970; now if absent. */
  readonly archiveDate?: number;
}

export interface VideoRequest extends CommonRequest {
  readonly kind: 'video';
  readonly tier: VideoTier;
  /** Default: the device's own format. */
  readonly format?: VideoFormat;
  /** Formats that are made in the same run: the video is decoded, and its depth estimated, once. */
  readonly further?: readonly VideoFormat[];
  /** What the member says about a video of both eyes; the crop is always one of the left eye as it is shown. */
  readonly pair?: PairChoice;
  /** Colour behind transparent parts, `#rrggbb`; white by default. */
  readonly ground?: `#${string}`;
  /** As for stills, where the format has them. */
  readonly swapEyes?: boolean;
  readonly anaglyph?: Anaglyph;
  /**
   * Folder for finished segments, kept between attempts: the same request with the same folder resumes after the last
   * finished segment. The caller removes it after success or final failure.
   */
  readonly workDir: string;
}

export type ConvertRequest = PictureRequest | VideoRequest;

/** Result type of each request kind. */
export interface ConvertResults {
  readonly picture: PictureResult;
  readonly video: VideoResult;
}

interface CommonResult {
  readonly depthSource: DepthSource | null;
  readonly comfort: Comfort | null;
  /** Upright size of the source, and the crop. */
  readonly source: Size;
  readonly crop: Crop;
  /** Milliseconds per step. */
  readonly times: Partial<Record<Step, number>>;
  readonly peakRssMb: number;
}

export interface PictureResult extends CommonResult {
  /** Where both eyes are, if the picture is one of both eyes side by side or one above the other. */
  readonly pair: PairLayout | null;
  readonly notes: readonly PictureNote[];
  readonly files: readonly OutputFile[];
  /** Null if not requested. */
  readonly archive: ArchiveFile | null;
  /** 16-bit grey PNG of the depth used; null for effect 0. */
  readonly depthFile: string | null;
  readonly preview: PreviewFiles | null;
}

export interface VideoResult extends CommonResult {
  /** Files of the further formats, in the order of the request. */
  readonly further: readonly OutputFile[];
  /** Where both eyes are, if the frames hold them side by side or one above the other. */
  readonly pair: PairLayout | null;
  readonly file: OutputFile;
  /** JPEG, 500 px wide: a frame of the crop. */
  readonly cover: string;
  readonly frames: number;
  readonly seconds: number;
  /** What the user should know: dropped subtitles, unreadable audio codec … */
  readonly notes: readonly Note[];
  /** Segments already finished at the start. */
  readonly resumedSegments: number;
}

/** Small files for the WebGL preview and lists; JPEG or PNG, next to the results. */
export interface PreviewFiles {
  /** Crop, long side ≤ `LIMITS.previewPx`, JPEG. */
  readonly colour: string;
  /** 8-bit grey PNG, same aspect, 255 near. */
  readonly depth: string;
  /** Filled background layer, JPEG, same size as `colour`. */
  readonly background: string;
  readonly backgroundDepth: string;
  /** 500 px wide JPEG of the crop. */
  readonly cover: string;
}

/** ZIP archive with all files of a conversion. */
export interface ArchiveFile {
  readonly name: string;
  readonly path: string;
  readonly type: 'application/zip';
  readonly bytes: number;
}
