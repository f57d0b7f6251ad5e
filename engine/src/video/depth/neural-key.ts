import { networkSize } from '../../depth/neural/network.ts';
import { type NeuralDepth, UnusableDepthError } from '../../depth/neural/neural-depth.ts';
import { resampleLinear } from '../../depth/resample.ts';
import { normaliseSpread } from '../../depth/statistics.ts';
import type { KeyEstimator } from './key.ts';

/** Seconds of video between two estimates: the network takes much longer than the built-in one. */
const INTERVAL = 0.5;
/** Short side of the network's input: more than the depth of a video can hold gains nothing. */
const SHORT_SIDE = 280;

/**
 * Estimates key frames with the neural model. A frame of which it can tell nothing, such as one without any contrast, is not
 * estimated: another estimator would see another depth in the middle of a shot. A model that does not run ends the
 * conversion: without its depth the video would be flat, and nobody would know why.
 */
export function neuralKeyEstimator(neural: NeuralDepth): KeyEstimator {
  const { id, multiple, shortSide } = neural.model;
  const short = Math.min(SHORT_SIDE, shortSide);
  return {
    source: `model:${id}`,
    interval: INTERVAL,
    warnings: [],
    async estimate(scaled, grid) {
      const picture = scaled(networkSize(grid, multiple, short));
      try {
        const found = await neural.estimate(picture, { shortSide: short });
        const depth = resampleLinear(found, grid.width, grid.height);
        return { depth: { ...depth, data: normaliseSpread(depth.data) }, matte: null };
      } catch (error) {
        if (error instanceof UnusableDepthError) return null;
        throw error;
      }
    },
    // The model is kept for the next picture or video.
    async close() {},
  };
}
