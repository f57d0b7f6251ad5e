export type { Stroke } from '../types.ts';
export { applyStrokes, DepthPainter, type PaintGuide } from './strokes.ts';
