import type { FrameFile, FrameOptions, PlaylistItem } from '@framelift/contract';
import type { Packing } from '@framelift/engine/webgl';

/** What an item is drawn from. */
export type Source =
  | { readonly kind: 'packed'; readonly file: FrameFile; readonly packing: Packing }
  | { readonly kind: 'depth'; readonly colour: FrameFile; readonly depth: FrameFile; readonly behind: Behind | null };
/** Background layer behind the depth edges. */
interface Behind {
  readonly background: FrameFile;
  readonly backgroundDepth: FrameFile;
}

/**
 * Returns what an item is drawn from: the file that was made for the mode, or the layers of the picture where the mode
 * moves with the viewer or the strength is not the one for which the file was made.
 * @param hasDepth false if this browser cannot draw depth
 * @returns null if there is no file for it
 */
export function sourceOf(item: PlaylistItem, options: FrameOptions, hasDepth: boolean): Source | null {
  const { main, colour, depth, background, backgroundDepth } = item.files;
  const isOwnStrength = options.strength === 1 || options.mode === 'flat';
  const isLive = options.mode === 'parallax' || !isOwnStrength || !main;
  if (hasDepth && isLive && item.effect > 0 && colour && depth) {
    const behind = background && backgroundDepth ? { background, backgroundDepth } : null;
    return { kind: 'depth', colour, depth, behind };
  }
  // Of a pair or a quilt a browser without depth shows one view; the colour alone is sharper.
  const file = hasDepth ? (main ?? colour) : main?.layout === 'whole' ? main : (colour ?? main);
  return file ? { kind: 'packed', file, packing: packingOf(file, item) } : null;
}

/** Returns the files of a source. */
export function filesOf(source: Source): FrameFile[] {
  if (source.kind === 'packed') return [source.file];
  const { colour, depth, behind } = source;
  return behind ? [colour, depth, behind.background, behind.backgroundDepth] : [colour, depth];
}

function packingOf({ layout }: FrameFile, { quilt, width, height }: PlaylistItem): Packing {
  switch (layout) {
    case 'whole':
      return { kind: 'whole' };
    case 'sideBySide':
      return { kind: 'sideBySide', half: false };
    case 'halfSideBySide':
      return { kind: 'sideBySide', half: true };
    case 'quilt':
      return { kind: 'quilt', ...(quilt ?? { columns: 1, rows: 1, aspect: width / height }) };
  }
}
