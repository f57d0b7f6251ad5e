import { type ErrorCode, LIMITS } from '@framelift/contract';

export type FileKind = 'picture' | 'video';

const EXTENSIONS: Record<FileKind, readonly string[]> = {
  picture: [...LIMITS.picture.extensions, ...LIMITS.pictureExtras],
  video: LIMITS.video.extensions,
};

/**
 * Media types of files that come without an extension, as some phones share them. `quicktime` and `x-matroska` are
 * the registered names of mov and mkv.
 */
const SUBTYPES: Readonly<Record<string, string>> = {
  quicktime: 'mov',
  'x-matroska': 'mkv',
  'x-msvideo': 'avi',
};

/**
 * Value of a file chooser's `accept`. HEIC is named on purpose: without it iOS hands over a re-encoded JPEG, and the
 * depth that a portrait photo carries is lost.
 */
export const ACCEPT: Record<FileKind, string> = {
  picture: EXTENSIONS.picture.map((extension) => `.${extension}`).join(','),
  video: EXTENSIONS.video.map((extension) => `.${extension}`).join(','),
};

type NamedFile = Pick<File, 'name' | 'type' | 'size'>;

/** Lower-case extension of the name, else what the media type implies, else an empty text. */
export function extensionOf(file: Pick<NamedFile, 'name' | 'type'>): string {
  const byName = /\.([^./\\]+)$/.exec(file.name)?.[1]?.toLowerCase();
  if (byName) return byName;
  const subtype = file.type.split('/')[1]?.toLowerCase() ?? '';
  return SUBTYPES[subtype] ?? subtype;
}

/** What a dropped file is taken for, or null when it is neither. */
export function kindOf(file: Pick<NamedFile, 'name' | 'type'>): FileKind | null {
  const extension = extensionOf(file);
  if (EXTENSIONS.picture.includes(extension)) return 'picture';
  return EXTENSIONS.video.includes(extension) ? 'video' : null;
}

/**
 * What is wrong with a file before a byte of it is sent; null when nothing is. Names and sizes only: the server
 * judges the bytes. 50 MB is inclusive.
 */
export function fileProblem(file: NamedFile, kind: FileKind): ErrorCode | null {
  if (!EXTENSIONS[kind].includes(extensionOf(file))) return 'invalidExtension';
  if (file.size === 0) return 'fileEmpty';
  return file.size > LIMITS.uploadBytes ? 'upload_up_to_limit' : null;
}
