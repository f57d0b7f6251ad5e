/**
 * The file formats of results: one record each, used by the API, the engine and the web app. docs/formats.md explains
 * how to add one.
 */

interface FormatRecord {
  /** File extension, including the dot. */
  readonly ext: keyof typeof MIME_TYPES;
  /**
   * Part of the file name after its stem, from which devices and players detect the layout. `{grid}`, `{colours}` and
   * `{serial}` are replaced by the quilt's grid, the anaglyph's matrix and the display's serial number.
   */
  readonly suffix: string;
  /** Suffix with swapped eyes; null if the views are not stereo and `swapEyes` has no effect. */
  readonly swapped: string | null;
  /** Arrangement of the views in the file: `LAYOUTS` of engine/src/formats/layout.ts. Null for files without views. */
  readonly layout: LayoutName | null;
  /** Purpose of the views, which determines the camera baseline. Null if depth is not shown as parallax. */
  readonly views: 'views' | 'pair' | 'wiggle' | null;
  /** How a still is rendered and its file verified: `DRAW` of engine/src/encode/outputs.ts. */
  readonly draw: DrawName;
  /** Whether it is available for videos. */
  readonly video: boolean;
}

export type LayoutName =
  | 'quilt'
  | 'sideBySide'
  | 'crossEyed'
  | 'halfSideBySide'
  | 'topBottom'
  | 'halfTopBottom'
  | 'evenTopBottom'
  | 'halfSphere'
  | 'left'
  | 'right'
  | 'wiggle'
  | 'evenWiggle'
  | 'smallWiggle'
  | 'whole';

export type DrawName =
  | 'packedViews'
  | 'native'
  | 'anaglyph'
  | 'multiPicture'
  | 'stereoJpeg'
  | 'spatialPhoto'
  | 'halfSphere'
  | 'colourAndDepth'
  | 'depth'
  | 'wiggle'
  | 'wiggleVideo'
  | 'oneEye'
  | 'flat';

/** JPS is an ordinary JPEG without a registered type of its own. */
const MIME_TYPES = {
  '.jpg': 'image/jpeg',
  '.jps': 'image/jpeg',
  '.mpo': 'image/mpo',
  '.heic': 'image/heic',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.mp4': 'video/mp4',
} as const;

export const FORMATS = {
  quilt: {
    ext: '.jpg',
    suffix: '_qs{grid}',
    swapped: null,
    layout: 'quilt',
    views: 'views',
    draw: 'packedViews',
    video: true,
  },
  native: {
    ext: '.png',
    suffix: '_native{serial}',
    swapped: null,
    layout: null,
    views: 'views',
    draw: 'native',
    video: false,
  },
  sbs: {
    ext: '.jpg',
    suffix: '_LRF_Full_SBS',
    swapped: '_RLF_Full_SBS',
    layout: 'sideBySide',
    views: 'pair',
    draw: 'packedViews',
    video: true,
  },
  hsbs: {
    ext: '.jpg',
    suffix: '_LR',
    swapped: '_RLF_Half_SBS',
    layout: 'halfSideBySide',
    views: 'pair',
    draw: 'packedViews',
    video: true,
  },
  tb: {
    ext: '.jpg',
    suffix: '_TBF_fulltb',
    swapped: '_RLF_Full_TB',
    layout: 'topBottom',
    views: 'pair',
    draw: 'packedViews',
    video: true,
  },
  htb: {
    ext: '.jpg',
    suffix: '_TB',
    swapped: '_RLF_Half_TB',
    layout: 'halfTopBottom',
    views: 'pair',
    draw: 'packedViews',
    video: true,
  },
  cross: {
    ext: '.jpg',
    suffix: '_RLF_cross',
    swapped: '_LRF_parallel',
    layout: 'crossEyed',
    views: 'pair',
    draw: 'packedViews',
    video: true,
  },
  '2x1': {
    ext: '.jpg',
    suffix: '_2x1',
    swapped: '_RLF_2x1',
    layout: 'sideBySide',
    views: 'pair',
    draw: 'packedViews',
    video: true,
  },
  anaglyph: {
    ext: '.jpg',
    suffix: '_redcyan{colours}',
    swapped: '_RLF_redcyan{colours}',
    layout: 'sideBySide',
    views: 'pair',
    draw: 'anaglyph',
    video: true,
  },
  mpo: {
    ext: '.mpo',
    suffix: '',
    swapped: null,
    layout: 'topBottom',
    views: 'pair',
    draw: 'multiPicture',
    video: false,
  },
  jps: {
    ext: '.jps',
    suffix: '',
    swapped: '_RLF',
    layout: 'sideBySide',
    views: 'pair',
    draw: 'stereoJpeg',
    video: false,
  },
  spatial: {
    ext: '.heic',
    suffix: '_spatial',
    swapped: null,
    layout: 'evenTopBottom',
    views: 'pair',
    draw: 'spatialPhoto',
    video: true,
  },
  vr180: {
    ext: '.jpg',
    suffix: '_180x180_LR',
    swapped: null,
    layout: 'halfSphere',
    views: 'pair',
    draw: 'halfSphere',
    video: true,
  },
  rgbd: {
    ext: '.png',
    suffix: '_RGBD',
    swapped: null,
    layout: 'sideBySide',
    views: null,
    draw: 'colourAndDepth',
    video: true,
  },
  depth: { ext: '.png', suffix: '_depth16', swapped: null, layout: null, views: null, draw: 'depth', video: false },
  wiggle: {
    ext: '.webp',
    suffix: '_wiggle',
    swapped: null,
    layout: 'wiggle',
    views: 'wiggle',
    draw: 'wiggle',
    video: true,
  },
  wiggle_gif: {
    ext: '.gif',
    suffix: '_wiggle',
    swapped: null,
    layout: 'smallWiggle',
    views: 'wiggle',
    draw: 'wiggle',
    video: false,
  },
  wiggle_mp4: {
    ext: '.mp4',
    suffix: '_wiggle',
    swapped: null,
    layout: 'evenWiggle',
    views: 'wiggle',
    draw: 'wiggleVideo',
    video: false,
  },
  left: { ext: '.jpg', suffix: '_left', swapped: null, layout: 'left', views: 'pair', draw: 'oneEye', video: false },
  right: { ext: '.jpg', suffix: '_right', swapped: null, layout: 'right', views: 'pair', draw: 'oneEye', video: false },
  flat: { ext: '.jpg', suffix: '_flat', swapped: null, layout: 'whole', views: null, draw: 'flat', video: true },
} as const satisfies Record<string, FormatRecord>;
export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as [Format, ...Format[]];

/** Downloadable formats; `original` is the uploaded file. */
export const DOWNLOAD_FORMATS = [...FORMAT_NAMES, 'original'] as const;
export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number];

/** For videos, `wiggle` is rendered with a swaying camera. */
export type VideoFormat = { [F in Format]: (typeof FORMATS)[F]['video'] extends true ? F : never }[Format];

export function isVideoFormat(format: string): format is VideoFormat {
  return format in FORMATS && FORMATS[format as Format].video;
}

export const VIDEO_FORMATS: readonly VideoFormat[] = FORMAT_NAMES.filter(isVideoFormat);

/**
 * Returns the default format of a video: flat for 0 % effect, and the most widely supported one for devices with a
 * still format.
 */
export function defaultVideoFormat(effect: number, deviceFormat: string): VideoFormat {
  if (effect === 0) return 'flat';
  return isVideoFormat(deviceFormat) ? deviceFormat : 'hsbs';
}

/** Returns whether `swapEyes` changes the format. */
export function isSwappable(format: DownloadFormat): boolean {
  return format !== 'original' && FORMATS[format].swapped !== null;
}

export function mimeType(format: Format): (typeof MIME_TYPES)[keyof typeof MIME_TYPES] {
  return MIME_TYPES[FORMATS[format].ext];
}

/** Formats by the equipment of users, in the order in which they are offered; each format is in one group. */
export const FORMAT_GROUPS = {
  frame: ['quilt', 'native', '2x1', 'flat'],
  headsets: ['spatial', 'vr180'],
  screens: ['hsbs', 'htb', 'sbs', 'tb'],
  glasses: ['anaglyph', 'cross'],
  cameras: ['mpo', 'jps'],
  depth: ['rgbd', 'depth'],
  sharing: ['wiggle_mp4', 'wiggle', 'wiggle_gif'],
  separate: ['left', 'right', 'original'],
} as const satisfies Record<string, readonly DownloadFormat[]>;
export type FormatGroup = keyof typeof FORMAT_GROUPS;

/** Colour matrices of the red-cyan anaglyph. Dubois: natural colours, least ghosting. Half colour: brighter. Grey: least tiring. */
export const ANAGLYPHS = ['dubois', 'half-colour', 'grey'] as const;
export type Anaglyph = (typeof ANAGLYPHS)[number];

/** Where a picture that holds both eyes has them: the left one and the right one. */
export const PAIR_LAYOUTS = ['leftRight', 'rightLeft', 'aboveBelow', 'belowAbove'] as const;
export type PairLayout = (typeof PAIR_LAYOUTS)[number];

/** What a member says about a picture that looks like a pair: where its eyes are, or that it is an ordinary picture. */
export const PAIR_CHOICES = [...PAIR_LAYOUTS, 'flat'] as const;
export type PairChoice = (typeof PAIR_CHOICES)[number];
