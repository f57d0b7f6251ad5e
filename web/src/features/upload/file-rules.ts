import {
  type AcceptedTypes,
  ANIMATION_EXTENSIONS,
  canBeOf,
  type ErrorCode,
  extensionOf,
  FILE_TYPES,
  type FileKind,
  type FileType,
  fileExtensions,
  isAccepted,
  isAnimation,
  LIMITS,
  mayBeAnimated,
  SNIFFED_BYTES,
  sniffFile,
  typeOfExtension,
  typeOfMime,
} from '@framelift/contract';

/**
 * Returns the value of a file input's `accept`. HEIC is listed explicitly: otherwise iOS passes a re-encoded JPEG, and
 * the depth data of a portrait photo is lost.
 */
export function acceptOf(kind: FileKind, accepted: AcceptedTypes): string {
  const animations = kind === 'video' && accepted === 'all' ? ANIMATION_EXTENSIONS : [];
  return [...fileExtensions(kind, accepted), ...animations].map((extension) => `.${extension}`).join(',');
}

type NamedFile = Pick<File, 'name' | 'type' | 'size'>;

async function bytesOf(file: Blob, from: number, length: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(from, from + length).arrayBuffer());
}

/** Returns the type of a file by its content; null if it is none of the known ones, or the file cannot be read. */
export async function sniff(file: Blob): Promise<FileType | null> {
  try {
    return sniffFile(await bytesOf(file, 0, SNIFFED_BYTES));
  } catch {
    return null;
  }
}

/** Returns whether a file of this type has several frames; false if it cannot be read. */
export async function isAnimated(file: Blob, type: FileType | null): Promise<boolean> {
  if (type === null || !mayBeAnimated(type)) return false;
  try {
    return await isAnimation((from, length) => bytesOf(file, from, length), type);
  } catch {
    return false;
  }
}

/** Returns the kind of a dropped file by its content, else by its name or type; null if it is neither. */
export function kindOf(file: Pick<NamedFile, 'name' | 'type'>, sniffed: FileType | null): FileKind | null {
  const type = sniffed ?? typeOfExtension(extensionOf(file.name)) ?? typeOfMime(file.type);
  return type && FILE_TYPES[type].kind;
}

/**
 * Returns the error of a file before any byte is sent, or null. Its content decides; name and type only if the content
 * is of no known type: the server says what is wrong with it. 50 MB is inclusive.
 */
export function fileProblem(
  file: NamedFile,
  kind: FileKind,
  {
    sniffed,
    accepted,
    animated = false,
  }: { readonly sniffed: FileType | null; readonly accepted: AcceptedTypes; readonly animated?: boolean },
): ErrorCode | null {
  const extension = extensionOf(file.name);
  const isNamed = fileExtensions(kind, accepted).includes(extension);
  if (sniffed) {
    const fits = animated ? canBeOf(kind, sniffed, accepted) : FILE_TYPES[sniffed].kind === kind;
    if (!fits) return kind === 'picture' ? 'filmAsPicture' : 'pictureAsFilm';
    if (!isAccepted(sniffed, accepted) || (accepted === 'literal' && !isNamed)) return 'invalidExtension';
  } else if (!isNamed && (accepted === 'literal' || extension !== '' || kindOf(file, null) !== kind)) {
    return 'invalidExtension';
  }
  if (file.size === 0) return 'fileEmpty';
  return file.size > LIMITS.uploadBytes ? 'upload_up_to_limit' : null;
}
