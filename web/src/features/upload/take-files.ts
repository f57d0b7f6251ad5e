import { type AcceptedTypes, type ErrorCode, type FileKind, LIMITS } from '@framelift/contract';
import { fileProblem, kindOf, sniff } from './file-rules.ts';

export interface TakenFile {
  readonly file: File;
  readonly kind: FileKind;
}

export interface RefusedFile {
  readonly name: string;
  readonly code: ErrorCode;
}

export interface Taken {
  readonly taken: readonly TakenFile[];
  /** A refused file never loses the others: it is named with its reason. */
  readonly refused: readonly RefusedFile[];
}

/**
 * Sorts chosen files into those that can be uploaded and those that cannot. Without `kind` the content of each decides
 * whether it is a photo or a video.
 */
export async function takeFiles(
  files: readonly File[],
  {
    accepted,
    allowsVideos,
    kind,
  }: { readonly accepted: AcceptedTypes; readonly allowsVideos: boolean; readonly kind?: FileKind },
): Promise<Taken> {
  const taken: TakenFile[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const sniffed = await sniff(file);
    const wanted = kind ?? kindOf(file, sniffed) ?? 'picture';
    const code =
      wanted === 'video' && !allowsVideos
        ? 'not_VIP'
        : (fileProblem(file, wanted, { sniffed, accepted }) ??
          (taken.length >= LIMITS.filesAtOnce ? 'tooManyFiles' : null));
    if (code) refused.push({ name: file.name, code });
    else taken.push({ file, kind: wanted });
  }
  return { taken, refused };
}
