export { applyStrokes, DepthPainter, type PaintGuide } from './strokes.ts';
