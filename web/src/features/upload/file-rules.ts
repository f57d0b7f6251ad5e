import { type ErrorCode, LIMITS } from '@framelift/contract';

export type FileKind = 'picture' | 'video';

const EXTENSIONS: Record<FileKind, readonly string[]> = {
  picture: [...LIMITS.picture.extensions, ...LIMITS.pictureExtras],
  video: LIMITS.video.extensions,
};

/**
 * Extensions by media type, for files without an extension, as some phones share them. `quicktime` and `x-matroska` are
 * the registered names of mov and mkv.
 */
const SUBTYPES: Readonly<Record<string, string>> = {
  quicktime: 'mov',
  'x-matroska': 'mkv',
  'x-msvideo': 'avi',
};

/**
 * Value of a file input's `accept`. HEIC is listed explicitly: otherwise iOS passes a re-encoded JPEG, and the depth
 * data of a portrait photo is lost.
 */
export const ACCEPT: Record<FileKind, string> = {
  picture: EXTENSIONS.picture.map((extension) => `.${extension}`).join(','),
  video: EXTENSIONS.video.map((extension) => `.${extension}`).join(','),
};

type NamedFile = Pick<File, 'name' | 'type' | 'size'>;

/** Returns the lower-case extension of the name, the one implied by the media type, or an empty string. */
export function extensionOf(file: Pick<NamedFile, 'name' | 'type'>): string {
  const byName = /\.([^./\\]+)$/.exec(file.name)?.[1]?.toLowerCase();
  if (byName) return byName;
  const subtype = file.type.split('/')[1]?.toLowerCase() ?? '';
  return SUBTYPES[subtype] ?? subtype;
}

/** Returns the kind of a dropped file, or null if it is neither. */
export function kindOf(file: Pick<NamedFile, 'name' | 'type'>): FileKind | null {
  const extension = extensionOf(file);
  if (EXTENSIONS.picture.includes(extension)) return 'picture';
  return EXTENSIONS.video.includes(extension) ? 'video' : null;
}

/**
 * Returns the error of a file before any byte is sent, or null. Only name and size are checked: the server validates
 * the content. 50 MB is inclusive.
 */
export function fileProblem(file: NamedFile, kind: FileKind): ErrorCode | null {
  if (!EXTENSIONS[kind].includes(extensionOf(file))) return 'invalidExtension';
  if (file.size === 0) return 'fileEmpty';
  return file.size > LIMITS.uploadBytes ? 'upload_up_to_limit' : null;
}
