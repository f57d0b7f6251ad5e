import { type DepthMode, parallaxOf } from './depth-mode.ts';
import { createDepthPrograms, createDepthScene } from './depth-scene.ts';
import { createRenderTarget, type RenderTarget } from './gl.ts';
import type { DepthImage } from './grid-mesh.ts';
import type { LoadedParts } from './load-parts.ts';
import { createPass, drawAnaglyph } from './passes.ts';
import { ANAGLYPH_FRAGMENT } from './shaders.ts';

export interface DepthFrame {
  readonly mode: DepthMode;
  /** Viewer position from −1 (leftmost view) to 1 (rightmost). Stereo pairs use two fixed positions and ignore it. */
  readonly position: number;
  /** Effect percent, 0 … 100. */
  readonly strength: number;
  /** Disparity budget of the device in percent of the width; unlimited when absent. */
  readonly budget?: number | undefined;
  /** Depth in the plane of the frame; chosen from the subject when absent. */
  readonly convergence?: number | undefined;
}

export interface DepthRenderer {
  /** Draws into the canvas at its current size. */
  draw(frame: DepthFrame): void;
  /** Replaces the depth map of the picture, e.g. by one that is being painted. */
  setDepth(depth: DepthImage): void;
  /** Releases the GPU resources; the canvas cannot be used again. */
  dispose(): void;
}

/**
 * Draws the live preview of one picture with depth in WebGL 2.
 * @returns null without WebGL 2
 * @throws when the GPU rejects the shaders or textures
 */
export function createDepthRenderer(canvas: HTMLCanvasElement, parts: LoadedParts): DepthRenderer | null {
  const gl = canvas.getContext('webgl2', { antialias: true, alpha: true, premultipliedAlpha: true });
  if (!gl) return null;

  const scene = createDepthScene(gl, createDepthPrograms(gl), parts);
  const anaglyph = createPass(gl, ANAGLYPH_FRAGMENT);
  let eyes: readonly [RenderTarget, RenderTarget] | null = null;
  const clear = () => gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);

  return {
    setDepth: scene.setDepth,
    draw({ mode, position, strength, budget, convergence = scene.convergence() }) {
      const { width, height } = canvas;
      const parallax = parallaxOf(mode, strength, scene.size, convergence, budget);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      clear();
      if (mode === 'anaglyph') {
        if (eyes?.[0].width !== width || eyes[0].height !== height) {
          for (const eye of eyes ?? []) eye.dispose();
          eyes = [createRenderTarget(gl, width, height), createRenderTarget(gl, width, height)];
        }
        for (const [index, eye] of eyes.entries()) {
          gl.bindFramebuffer(gl.FRAMEBUFFER, eye.framebuffer);
          clear();
          scene.drawView(parallax, index === 0 ? -1 : 1);
        }
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        drawAnaglyph(gl, anaglyph, eyes[0].texture, eyes[1].texture);
      } else if (mode === 'sideBySide') {
        const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
        for (const [left, eye] of [
          [0, -1],
          [width - half.width, 1],
        ] as const) {
          gl.viewport(left, Math.floor((height - half.height) / 2), half.width, half.height);
          scene.drawView(parallax, eye);
        }
      } else scene.drawView(parallax, position);
    },
    dispose() {
      gl.getExtension('WEBGL_lose_context')?.loseContext();
    },
  };
}
