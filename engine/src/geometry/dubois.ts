/**
 * Least-squares anaglyph matrices by Eric Dubois (2009) for red-cyan glasses: contributions of the left and the right
 * picture (R, G, B, linear light) to red, green and blue of the result, in row-major order. Only the sum of both is
 * clamped to 0 … 1: clamping each eye's part would drop the negative contributions and tint grey. The anaglyph file and
 * the browser's preview use the same numbers.
 */
export const DUBOIS_LEFT = [0.437, 0.449, 0.164, -0.062, -0.062, -0.024, -0.048, -0.05, -0.017] as const;
export const DUBOIS_RIGHT = [-0.011, -0.032, -0.007, 0.377, 0.761, 0.009, -0.026, -0.093, 1.234] as const;
