/** What a file name says about a picture or video that holds both eyes. */
export interface NamedPair {
  readonly packing: 'sideBySide' | 'topBottom';
  /** Whether the left eye is the second one: right or bottom; null if the name does not say. */
  readonly second: boolean | null;
  /** Whether each eye has half of its pixels in one direction; null if the name does not say. */
  readonly squeezed: boolean | null;
}

/** The usual abbreviations between other words, and ours. Programs write whole pairs as LRF, RLF and TBF. */
const WORDS = {
  sideBySide: /^((h|half|full|f)?sbs|3dh|lr|lrf|lrq|2x1|rl|rlf|rlq|cross|crosseyed|crossview|parallel)$/,
  topBottom: /^((h|half|full|f)?(ou|tab|tb)|3dv|tbf|tbq|bt|btf)$/,
  first: /^(lr|lrf|lrq|parallel|tbf|tbq)$/,
  second: /^(rl|rlf|rlq|cross|crosseyed|crossview|bt|btf)$/,
  half: /^(half|(h|half)(sbs|ou|tab|tb)|lrq|rlq|tbq)$/,
  full: /^((full|f)(sbs|ou|tab|tb)|lrf|rlf|tbf|btf|parallel|cross|crosseyed|crossview|2x1)$/,
};

/** Returns how a picture or video is packed by its name, e.g. `Film.3D.HSBS.mkv`; null if it does not say. */
export function pairOfName(name: string): NamedPair | null {
  const words = name
    .toLowerCase()
    .split(/[ ._()[\]-]+/)
    .map((word, i, all) =>
      /^(h|half|full)$/.test(all[i - 1] ?? '') && /^(sbs|ou|tab|tb)$/.test(word) ? all[i - 1] + word : word,
    )
    .reverse();
  // The last word counts; an order may stand before it, as in `shop_RLF_Half_SBS`.
  const packing = words.flatMap((word) =>
    WORDS.topBottom.test(word) ? ['topBottom' as const] : WORDS.sideBySide.test(word) ? ['sideBySide' as const] : [],
  )[0];
  if (!packing) return null;
  const says = (pattern: RegExp) => words.some((word) => pattern.test(word));
  return {
    packing,
    second: says(WORDS.second) ? true : says(WORDS.first) ? false : null,
    squeezed: says(WORDS.half) ? true : says(WORDS.full) ? false : null,
  };
}
