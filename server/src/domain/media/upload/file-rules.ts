import { open } from 'node:fs/promises';
import {
  type AcceptedTypes,
  ApiError,
  canBeOf,
  extensionOf,
  FILE_TYPES,
  type FileKind,
  type FileType,
  fileExtensions,
  isAccepted,
  LIMITS,
  mayBeAnimated,
  SNIFFED_BYTES,
  sniffFile,
  typeOfExtension,
  typeOfMime,
} from '@framelift/contract';

/** Types that browsers and phones send for files whose type they do not know, or know only in part. */
const VAGUE_TYPES = ['', 'application/octet-stream', 'binary/octet-stream', '*/*', 'image/*', 'video/*'];

export interface AnnouncedFile {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

/**
 * Returns the content type to upload an announced file with. Name and type are hints, because the content decides when
 * the upload is finished: a file is refused only if neither of them, or a certain type of another kind, stands for it.
 * @throws ApiError `fileEmpty`, `upload_up_to_limit`, `invalidExtension`
 */
export function checkAnnounced(kind: FileKind, { name, size, type }: AnnouncedFile, accepted: AcceptedTypes): string {
  const told = type.trim().toLowerCase();
  const extension = extensionOf(name);
  const byName = typeOfExtension(extension);
  const byType = typeOfMime(told);
  const isVague = VAGUE_TYPES.includes(told);
  const canBeByName = accepted === 'all' && byName !== null && canBeOf(kind, byName, accepted);
  const isNamed = canBeByName || fileExtensions(kind, accepted).includes(extension);
  // A phone that knows of an animation only that it is a picture.
  const isAnyImage = canBeByName && mayBeAnimated(byName) && told === 'image/*';
  const isKnown = isNamed || (accepted === 'all' && (byType !== null || (extension === '' && isVague)));
  if (!isKnown || !(isAnyImage || canBe(kind, told, accepted))) throw new ApiError('invalidExtension');
  checkSize(size);
  const found = byType ?? (isNamed ? byName : null);
  return found ? FILE_TYPES[found].mime : 'application/octet-stream';
}

/** Returns whether a file with this MIME type can be of a kind. */
function canBe(kind: FileKind, told: string, accepted: AcceptedTypes): boolean {
  const type = typeOfMime(told);
  if (type) return canBeOf(kind, type, accepted);
  const family = told.split('/', 1)[0];
  return (
    family === (kind === 'picture' ? 'image' : 'video') || (VAGUE_TYPES.includes(told) && !/^(image|video)/.test(told))
  );
}

/**
 * Checks the content of an uploaded file, as far as its first bytes tell, and returns its type; null for one that they do
 * not tell.
 * @throws ApiError `filmAsPicture`, `pictureAsFilm`; `invalidExtension` for a type that is known but not accepted
 */
export async function checkContent(path: string, kind: FileKind, accepted: AcceptedTypes): Promise<FileType | null> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    const type = sniffFile(buffer.subarray(0, bytesRead));
    if (!type) return null;
    // Whether it is animated is seen when it is inspected.
    if (!canBeOf(kind, type, accepted)) throw new ApiError(kind === 'picture' ? 'filmAsPicture' : 'pictureAsFilm');
    if (!isAccepted(type, accepted)) throw new ApiError('invalidExtension');
    return type;
  } finally {
    await file.close();
  }
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
export function nameByType(name: string, mime: string): string {
  const type = typeOfMime(mime);
  if (!type || typeOfExtension(extensionOf(name)) === type) return name;
  return `${stemOf(name)}.${FILE_TYPES[type].extensions[0]}`;
}
