import { LIMITS } from './limits.ts';

/** The types of files that can be uploaded: one record each, used by the web app, the API and the engine. */

export type FileKind = 'picture' | 'video';

interface FileTypeRecord {
  readonly kind: FileKind;
  /** Name shown to users. */
  readonly name: string;
  /** MIME type. */
  readonly mime: string;
  /** Other names of the type, sent by some browsers and phones. */
  readonly aliases: readonly string[];
  /** Lower-case extensions, the usual one first. */
  readonly extensions: readonly string[];
}

export const FILE_TYPES = {
  jpeg: {
    kind: 'picture',
    name: 'JPEG',
    mime: 'image/jpeg',
    aliases: ['image/jpg', 'image/pjpeg', 'image/mpo', 'image/jps', 'image/x-jps'],
    // MPO and JPS are JPEGs with a second view, written by 3D cameras.
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif', 'mpo', 'jps'],
  },
  png: {
    kind: 'picture',
    name: 'PNG',
    mime: 'image/png',
    aliases: ['image/x-png', 'image/apng', 'image/vnd.mozilla.apng'],
    extensions: ['png', 'apng'],
  },
  heic: {
    kind: 'picture',
    name: 'HEIC',
    mime: 'image/heic',
    aliases: ['image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    extensions: ['heic', 'heif', 'hif', 'heics', 'heifs'],
  },
  avif: {
    kind: 'picture',
    name: 'AVIF',
    mime: 'image/avif',
    aliases: ['image/avif-sequence'],
    extensions: ['avif', 'avifs'],
  },
  webp: { kind: 'picture', name: 'WebP', mime: 'image/webp', aliases: [], extensions: ['webp'] },
  gif: { kind: 'picture', name: 'GIF', mime: 'image/gif', aliases: [], extensions: ['gif'] },
  tiff: {
    kind: 'picture',
    name: 'TIFF',
    mime: 'image/tiff',
    aliases: ['image/tif', 'image/x-tiff'],
    extensions: ['tif', 'tiff'],
  },
  mp4: { kind: 'video', name: 'MP4', mime: 'video/mp4', aliases: ['video/x-m4v'], extensions: ['mp4', 'm4v'] },
  mov: { kind: 'video', name: 'MOV', mime: 'video/quicktime', aliases: [], extensions: ['mov', 'qt'] },
  webm: { kind: 'video', name: 'WebM', mime: 'video/webm', aliases: [], extensions: ['webm'] },
  mkv: {
    kind: 'video',
    name: 'MKV',
    mime: 'video/x-matroska',
    aliases: ['video/matroska', 'application/x-matroska', 'application/matroska'],
    extensions: ['mkv'],
  },
  avi: {
    kind: 'video',
    name: 'AVI',
    mime: 'video/x-msvideo',
    aliases: ['video/avi', 'video/msvideo', 'video/vnd.avi'],
    extensions: ['avi'],
  },
  wmv: {
    kind: 'video',
    name: 'WMV',
    mime: 'video/x-ms-wmv',
    aliases: ['video/x-ms-asf', 'application/vnd.ms-asf'],
    extensions: ['wmv', 'asf'],
  },
  flv: { kind: 'video', name: 'FLV', mime: 'video/x-flv', aliases: ['video/flv'], extensions: ['flv', 'f4v'] },
  ts: {
    kind: 'video',
    name: 'TS',
    mime: 'video/mp2t',
    aliases: ['video/mpegts', 'video/vnd.dlna.mpeg-tts'],
    extensions: ['ts', 'mts', 'm2ts'],
  },
  mpg: { kind: 'video', name: 'MPEG', mime: 'video/mpeg', aliases: ['video/mpg'], extensions: ['mpg', 'mpeg', 'vob'] },
  '3gp': {
    kind: 'video',
    name: '3GP',
    mime: 'video/3gpp',
    aliases: ['video/3gpp2', 'video/3gp'],
    extensions: ['3gp', '3g2', '3gpp'],
  },
} as const satisfies Record<string, FileTypeRecord>;
export type FileType = keyof typeof FILE_TYPES;
export type FileTypeOf<K extends FileKind> = {
  [T in FileType]: (typeof FILE_TYPES)[T]['kind'] extends K ? T : never;
}[FileType];

/** All types, or those of the specification alone, which the preset `literal` accepts to the letter. */
export type AcceptedTypes = 'all' | 'literal';

const TYPES = Object.keys(FILE_TYPES) as FileType[];
const LITERAL_EXTENSIONS: Record<FileKind, readonly string[]> = {
  picture: LIMITS.picture.extensions,
  video: LIMITS.video.extensions,
};

/** Returns the accepted types of one kind, in the order in which they are named. */
export function fileTypes(kind: FileKind, accepted: AcceptedTypes): FileType[] {
  return TYPES.filter((type) => FILE_TYPES[type].kind === kind && isAccepted(type, accepted));
}

/** Returns the accepted extensions of one kind. */
export function fileExtensions(kind: FileKind, accepted: AcceptedTypes): string[] {
  if (accepted === 'literal') return [...LITERAL_EXTENSIONS[kind]];
  return fileTypes(kind, accepted).flatMap((type) => [...FILE_TYPES[type].extensions]);
}

/** Returns whether files with the content of this type are accepted. */
export function isAccepted(type: FileType, accepted: AcceptedTypes): boolean {
  const { kind, extensions } = FILE_TYPES[type];
  return accepted === 'all' || LITERAL_EXTENSIONS[kind].includes(extensions[0]);
}

/** Returns the lower-case extension of a file name without its dot, or an empty string. */
export function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name.trim())?.[1]?.toLowerCase() ?? '';
}

/** Returns the type that an extension stands for, or null. */
export function typeOfExtension(extension: string): FileType | null {
  return TYPES.find((type) => (FILE_TYPES[type].extensions as readonly string[]).includes(extension)) ?? null;
}

/** Returns the type with this MIME type or alias, or null. */
export function typeOfMime(mime: string): FileType | null {
  const told = mime.toLowerCase();
  return (
    TYPES.find((type) => {
      const record: FileTypeRecord = FILE_TYPES[type];
      return record.mime === told || record.aliases.includes(told);
    }) ?? null
  );
}

/** Number of bytes at the beginning of a file that `sniffFile` needs. */
export const SNIFFED_BYTES = 4096;

/** Brands of the ISO base media file format (`ftyp` box) for stills: ISO/IEC 23008-12 and the AV1 Image File Format. */
const STILL_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'miaf', 'avif', 'avis']);
const AVIF_BRANDS = ['avif', 'avis'];
/** Brands for sound and camera raw files. */
const OTHER_BRANDS = new Set(['M4A ', 'M4B ', 'M4P ', 'crx ']);
/** First boxes of old QuickTime files. */
const QUICKTIME_BOXES = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
const TS_PACKET = 188;
/** Packets of Blu-ray discs and camcorders begin with a time stamp of four bytes. */
const M2TS_PACKET = 192;

/**
 * Detects the type of a file from its first bytes, never from its name; null for anything else. A file of a detected
 * type can still be damaged.
 */
export function sniffFile(bytes: Uint8Array): FileType | null {
  const begins = (...expected: number[]) => expected.every((byte, at) => bytes[at] === byte);
  if (begins(0xff, 0xd8, 0xff)) return 'jpeg';
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) return 'gif';
  if (begins(0x49, 0x49, 0x2a, 0x00) || begins(0x4d, 0x4d, 0x00, 0x2a)) return 'tiff';
  if (text(bytes, 0, 4) === 'RIFF') {
    const form = text(bytes, 8, 12);
    return form === 'WEBP' ? 'webp' : form === 'AVI ' ? 'avi' : null;
  }
  if (begins(0x1a, 0x45, 0xdf, 0xa3)) {
    const name = docType(bytes);
    return name === 'matroska' ? 'mkv' : name === 'webm' ? 'webm' : null;
  }
  if (begins(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11)) return 'wmv';
  if (text(bytes, 0, 3) === 'FLV') return 'flv';
  if (begins(0x00, 0x00, 0x01, 0xba)) return 'mpg';
  const isSync = (first: number, packet: number) => [0, 1, 2].every((at) => bytes[first + at * packet] === 0x47);
  if (isSync(0, TS_PACKET) || isSync(4, M2TS_PACKET)) return 'ts';
  const box = text(bytes, 4, 8);
  if (box === 'ftyp') return typeOfBrands(brandsOf(bytes));
  return QUICKTIME_BOXES.has(box) ? 'mov' : null;
}

/** The major brand decides. Only for unknown ones do the compatible brands: phones list those of stills in videos too. */
function typeOfBrands([major = '', ...compatible]: string[]): FileType | null {
  if (OTHER_BRANDS.has(major)) return null;
  if (major === 'qt  ') return 'mov';
  if (/^3g/.test(major)) return '3gp';
  const isVideo = /^(iso|mp4|avc|M4V|MSNV|dash|f4v|XAVC|mmp4)/.test(major);
  if (isVideo || ![major, ...compatible].some((brand) => STILL_BRANDS.has(brand))) return 'mp4';
  return [major, ...compatible].some((brand) => AVIF_BRANDS.includes(brand)) ? 'avif' : 'heic';
}

/** Returns the major brand and the compatible ones. */
function brandsOf(bytes: Uint8Array): string[] {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const found = [text(bytes, 8, 12)];
  for (let at = 16; at + 4 <= Math.min(size, bytes.length, 1024); at += 4) found.push(text(bytes, at, at + 4));
  return found;
}

/** Returns the DocType element (0x4282) of an EBML header: `matroska`, `webm` or other. */
function docType(bytes: Uint8Array): string | null {
  for (let at = 4; at + 3 < Math.min(bytes.length, 64); at++) {
    if (bytes[at] !== 0x42 || bytes[at + 1] !== 0x82) continue;
    const length = (bytes[at + 2] as number) & 0x7f;
    return text(bytes, at + 3, at + 3 + length).replace(/\0+$/, '');
  }
  return null;
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
