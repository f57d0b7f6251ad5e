import { type AcceptedTypes, type ErrorCode, type FileKind, LIMITS } from '@framelift/contract';
import { fileProblem, isAnimated, kindOf, sniff } from './file-rules.ts';

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
 * whether it is a photo or a video. An animation that was not chosen as a video can be either: of all of them it is asked
 * once; who gives no answer takes none of them.
 */
export async function takeFiles(
  files: readonly File[],
  {
    accepted,
    allowsVideos,
    kind,
    asksIfMoving = async () => false,
  }: {
    readonly accepted: AcceptedTypes;
    readonly allowsVideos: boolean;
    readonly kind?: FileKind;
    /** Returns null if the choice is given up. */
    readonly asksIfMoving?: () => Promise<boolean | null>;
  },
): Promise<Taken> {
  const taken: TakenFile[] = [];
  const refused: RefusedFile[] = [];
  let moving: boolean | null = null;
  for (const file of files) {
    // More than these are not looked at.
    if (taken.length >= LIMITS.filesAtOnce) {
      refused.push({ name: file.name, code: 'tooManyFiles' });
      continue;
    }
    const sniffed = await sniff(file);
    const animated = allowsVideos && accepted === 'all' && (await isAnimated(file, sniffed));
    const told = kind ?? kindOf(file, sniffed) ?? 'picture';
    if (animated && told === 'picture' && file.size <= LIMITS.uploadBytes && moving === null) {
      moving = await asksIfMoving();
      if (moving === null) return { taken: [], refused: [] };
    }
    const wanted = animated && moving ? 'video' : told;
    const code =
      wanted === 'video' && !allowsVideos ? 'not_VIP' : fileProblem(file, wanted, { sniffed, accepted, animated });
    if (code) refused.push({ name: file.name, code });
    else taken.push({ file, kind: wanted });
  }
  return { taken, refused };
}
