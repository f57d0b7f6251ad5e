import type { Nclx } from './nclx.ts';

const PQ = 16;
const HLG = 18;
const TAG_COUNT = 128;
const TAG_BYTES = 12;
const MAX_TAGS = 100;

/**
 * Returns the `cicp` tag of an ICC profile (ICC.1:2022) that describes HDR, which a conversion through the profile's
 * curves would show far too dark; null for any other profile.
 */
export function iccNclx(icc: Uint8Array): Nclx | null {
  if (icc.length < TAG_COUNT + 4) return null;
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength);
  const count = Math.min(view.getUint32(TAG_COUNT), MAX_TAGS);
  for (let i = 0; i < count; i++) {
    const at = TAG_COUNT + 4 + i * TAG_BYTES;
    if (at + TAG_BYTES > icc.length) return null;
    if (String.fromCharCode(...icc.subarray(at, at + 4)) !== 'cicp') continue;
    const offset = view.getUint32(at + 4);
    if (offset + TAG_BYTES > icc.length) return null;
    const [primaries, transfer] = [icc[offset + 8] as number, icc[offset + 9] as number];
    return transfer === PQ || transfer === HLG ? { primaries, transfer } : null;
  }
  return null;
}
