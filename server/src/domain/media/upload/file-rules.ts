import { ApiError, LIMITS } from '@framelift/contract';

/** Content types by file extension; the content of the file decides in the end. */
const TYPE_OF_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['heic', 'image/heic'],
  ['heif', 'image/heic'],
  ['avif', 'image/avif'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  // JPEGs with a second view, which the engine detects by content.
  ['mpo', 'image/jpeg'],
  ['jps', 'image/jpeg'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['avi', 'video/x-msvideo'],
  ['mkv', 'video/x-matroska'],
]);
/** The usual extension of each type: the first one above. */
const EXTENSION_OF_TYPE: ReadonlyMap<string, string> = new Map(
  [...TYPE_OF_EXTENSION].reverse().map(([extension, type]) => [type, `.${extension}`]),
);
/** Aliases of these types. */
const SAME_TYPE: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/heif', 'image/heic'],
  ['image/mpo', 'image/jpeg'],
  ['image/jps', 'image/jpeg'],
  ['image/x-jps', 'image/jpeg'],
]);
/** Types that browsers send for files of an unknown type. */
const UNKNOWN_TYPES = ['', 'application/octet-stream'];

const PICTURE_TYPE = /^image\//;
const VIDEO_TYPE = /^(video\/|application\/(x-)?matroska)/;

const PICTURE_EXTENSIONS: readonly string[] = [...LIMITS.picture.extensions, ...LIMITS.pictureExtras];
const VIDEO_EXTENSIONS: readonly string[] = LIMITS.video.extensions;

export interface AnnouncedFile {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

/**
 * Returns the content type to upload an announced picture with.
 * @throws ApiError `fileEmpty`, `upload_up_to_limit`, `invalidExtension`
 */
export function checkPicture({ name, size, type }: AnnouncedFile): string {
  checkSize(size);
  const extension = extensionOf(name);
  const byName = PICTURE_EXTENSIONS.includes(extension) ? TYPE_OF_EXTENSION.get(extension) : undefined;
  if (!byName) throw new ApiError('invalidExtension');
  const told = type.toLowerCase();
  if (UNKNOWN_TYPES.includes(told)) return byName;
  const named = SAME_TYPE.get(told) ?? told;
  if (!PICTURE_TYPE.test(named) || !EXTENSION_OF_TYPE.has(named)) throw new ApiError('invalidExtension');
  return named;
}

/**
 * Returns the content type to upload an announced video with, by its extension: browsers name the same container
 * differently.
 * @throws ApiError `fileEmpty`, `upload_up_to_limit`, `invalidExtension`
 */
export function checkVideo({ name, size, type }: AnnouncedFile): string {
  checkSize(size);
  const extension = extensionOf(name);
  const byName = VIDEO_EXTENSIONS.includes(extension) ? TYPE_OF_EXTENSION.get(extension) : undefined;
  const told = type.toLowerCase();
  if (!byName || !(UNKNOWN_TYPES.includes(told) || VIDEO_TYPE.test(told))) throw new ApiError('invalidExtension');
  return byName;
}

/** Returns the content type for the container that the engine detected. */
export function videoType(kind: string): string {
  return TYPE_OF_EXTENSION.get(kind) ?? 'application/octet-stream';
}

function checkSize(size: number): void {
  if (size === 0) throw new ApiError('fileEmpty');
  if (size > LIMITS.uploadBytes) throw new ApiError('upload_up_to_limit');
}

/**
 * Returns a file name to store and show: NFC, without folders, control characters, line breaks and controls of the
 * writing direction, which would disguise its extension; truncated before its extension [A18].
 */
export function cleanName(name: string): string {
  const base = (name.split(/[/\\]/).at(-1) ?? '')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '')
    .trim();
  const extension = base.lastIndexOf('.') > 0 ? base.slice(base.lastIndexOf('.')) : '';
  const stem = [...base.slice(0, base.length - extension.length)];
  return stem.slice(0, Math.max(1, LIMITS.fileNameLength - extension.length)).join('') + extension;
}

/** Returns the name without its extension. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/**
 * Returns the name with the extension of the detected type, unless its own extension already means that type
 * [A13][A14].
 */
export function nameByType(name: string, type: string): string {
  if (TYPE_OF_EXTENSION.get(extensionOf(name)) === type) return name;
  return stemOf(name) + (EXTENSION_OF_TYPE.get(type) ?? '');
}

function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name.trim())?.[1]?.toLowerCase() ?? '';
}
