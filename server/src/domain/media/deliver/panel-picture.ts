/** Longer sides, in pixels, of pictures for panels: few, so that frames share files. */
const SIDES = [1920, 2560, 3840] as const;

/** A file variant: the crop alone, as large as a panel shows it. */
export type PanelVariant = `flat~${number}`;

const variantOf = (side: number): PanelVariant => `flat~${side}`;
export const PANEL_VARIANTS: readonly PanelVariant[] = SIDES.map(variantOf);

/**
 * Returns the variant for a panel, or null if it would have no more pixels than what is there.
 * @param longest longer sides in pixels: of the panel, of the crop, and of the picture that is there
 */
export function panelVariant(longest: {
  readonly panel: number;
  readonly crop: number;
  readonly there: number;
}): PanelVariant | null {
  const side = SIDES.find((one) => one >= longest.panel) ?? SIDES[SIDES.length - 1];
  return side && Math.min(side, longest.crop) > longest.there && longest.panel > longest.there ? variantOf(side) : null;
}

/** Returns the longer side of a variant; null for one that is not for a panel. */
export function sideOf(variant: string): number | null {
  return SIDES.find((side) => variantOf(side) === variant) ?? null;
}
