import { autoConvergence, DUBOIS_LEFT, DUBOIS_RIGHT, overscan, type Parallax, shift } from '@framelift/engine/geometry';
import { bind, bitmapTexture, createEyeTarget, createProgram, depthTexture, type EyeTarget } from './gl.ts';
import { type DepthImage, type Grid, gridFor, gridPoints, gridTriangles, POINT_VALUES } from './grid-mesh.ts';
import type { LoadedParts } from './load-parts.ts';
import { type DepthMode, parallaxOf } from './parallax.ts';
import { ANAGLYPH_FRAGMENT, BACKGROUND_FRAGMENT, COMBINE_VERTEX, PICTURE_FRAGMENT, WARP_VERTEX } from './shaders.ts';

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
 * Cells along the longer side. Edges are cut by the depth of each pixel, so the picture needs no finer grid; the
 * background layer is visible only in narrow strips.
 */
const PICTURE_CELLS = 320;
const BACKGROUND_CELLS = 160;

/**
 * Draws a picture with depth in WebGL 2: a grid of the picture, displaced by its depth, over the background layer.
 * @returns null without WebGL 2
 * @throws when the GPU rejects the shaders or textures
 */
export function createDepthRenderer(canvas: HTMLCanvasElement, parts: LoadedParts): DepthRenderer | null {
  const gl = canvas.getContext('webgl2', { antialias: true, alpha: true, premultipliedAlpha: true });
  if (!gl) return null;

  const size = { width: parts.colour.width, height: parts.colour.height };
  let ownConvergence = autoConvergence({ ...parts.depth, scale: 255 });
  const grid = gridFor(size.width, size.height, PICTURE_CELLS);
  const behind = gridFor(size.width, size.height, BACKGROUND_CELLS);
  const picture = createLayer(gl, PICTURE_FRAGMENT, grid, gridPoints(grid, parts.depth, 'nearest'));
  const background = createLayer(gl, BACKGROUND_FRAGMENT, behind, gridPoints(behind, parts.backgroundDepth, 'own'));
  const textures = {
    colour: bitmapTexture(gl, parts.colour),
    background: bitmapTexture(gl, parts.background),
    depth: depthTexture(gl, parts.depth),
  };
  const anaglyph = createProgram(gl, COMBINE_VERTEX, ANAGLYPH_FRAGMENT);
  let eyes: readonly [EyeTarget, EyeTarget] | null = null;

  const drawView = (parallax: Parallax, position: number, width: number) => {
    const inset = overscan(parallax);
    // At the centre of the picture the edge fade is 1, so this is the shift of one unit of depth.
    const perDepth = shift(parallax, position, parallax.convergence + 1, 0.5);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    for (const layer of [background, picture]) {
      gl.useProgram(layer.program);
      gl.bindVertexArray(layer.points);
      gl.uniform1f(layer.uniform('perDepth'), perDepth);
      gl.uniform1f(layer.uniform('convergence'), parallax.convergence);
      gl.uniform1f(layer.uniform('inset'), inset);
      gl.uniform1i(layer.uniform('picture'), 0);
      bind(gl, 0, layer === picture ? textures.colour : textures.background);
      if (layer === picture) {
        gl.uniform1f(layer.uniform('columns'), grid.columns);
        gl.uniform1f(layer.uniform('unstretched'), (1 - 2 * inset) / width);
        gl.uniform1i(layer.uniform('depthMap'), 1);
        bind(gl, 1, textures.depth);
      }
      // The whole background is behind the whole picture.
      gl.depthMask(layer === picture);
      gl.drawElements(gl.TRIANGLES, layer.indices, gl.UNSIGNED_INT, 0);
    }
    gl.depthMask(true);
  };

  const drawAnaglyph = (parallax: Parallax) => {
    const { width, height } = canvas;
    if (eyes?.[0].width !== width || eyes[0].height !== height) {
      for (const eye of eyes ?? []) eye.dispose();
      eyes = [createEyeTarget(gl, width, height), createEyeTarget(gl, width, height)];
    }
    for (const [index, eye] of eyes.entries()) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, eye.framebuffer);
      gl.viewport(0, 0, width, height);
      drawView(parallax, index === 0 ? -1 : 1, width);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(anaglyph);
    gl.bindVertexArray(null);
    bind(gl, 0, eyes[0].texture);
    bind(gl, 1, eyes[1].texture);
    gl.uniform1i(gl.getUniformLocation(anaglyph, 'leftEye'), 0);
    gl.uniform1i(gl.getUniformLocation(anaglyph, 'rightEye'), 1);
    // The matrices are row-major; WebGL 2 transposes them to its column-major order.
    gl.uniformMatrix3fv(gl.getUniformLocation(anaglyph, 'fromLeft'), true, DUBOIS_LEFT);
    gl.uniformMatrix3fv(gl.getUniformLocation(anaglyph, 'fromRight'), true, DUBOIS_RIGHT);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };

  const drawSideBySide = (parallax: Parallax) => {
    const width = Math.floor(canvas.width / 2);
    const height = Math.floor(canvas.height / 2);
    const bottom = Math.floor((canvas.height - height) / 2);
    gl.enable(gl.SCISSOR_TEST);
    for (const [left, position] of [
      [0, -1],
      [canvas.width - width, 1],
    ] as const) {
      gl.viewport(left, bottom, width, height);
      gl.scissor(left, bottom, width, height);
      drawView(parallax, position, width);
    }
    gl.disable(gl.SCISSOR_TEST);
  };

  return {
    setDepth(depth) {
      ownConvergence = autoConvergence({ ...depth, scale: 255 });
      gl.bindVertexArray(null);
      gl.bindBuffer(gl.ARRAY_BUFFER, picture.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, gridPoints(grid, depth, 'nearest'), gl.DYNAMIC_DRAW);
      gl.deleteTexture(textures.depth);
      textures.depth = depthTexture(gl, depth);
    },
    draw({ mode, position, strength, budget, convergence = ownConvergence }) {
      const parallax = parallaxOf(mode, strength, size, convergence, budget);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.enable(gl.DEPTH_TEST);
      gl.depthFunc(gl.LEQUAL);
      if (mode === 'anaglyph') drawAnaglyph(parallax);
      else if (mode === 'sideBySide') {
        gl.clear(gl.COLOR_BUFFER_BIT);
        drawSideBySide(parallax);
      } else drawView(parallax, position, canvas.width);
    },
    dispose() {
      gl.getExtension('WEBGL_lose_context')?.loseContext();
    },
  };
}

interface Layer {
  readonly program: WebGLProgram;
  readonly points: WebGLVertexArrayObject;
  readonly buffer: WebGLBuffer;
  readonly indices: number;
  uniform(name: string): WebGLUniformLocation | null;
}

function createLayer(gl: WebGL2RenderingContext, fragment: string, grid: Grid, points: Uint16Array): Layer {
  const triangles = gridTriangles(grid);
  const program = createProgram(gl, WARP_VERTEX, fragment);
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
  const location = gl.getAttribLocation(program, 'point');
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, POINT_VALUES, gl.UNSIGNED_SHORT, true, 0, 0);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  const uniforms = new Map<string, WebGLUniformLocation | null>();
  return {
    program,
    points: array,
    buffer,
    indices: triangles.length,
    uniform(name) {
      if (!uniforms.has(name)) uniforms.set(name, gl.getUniformLocation(program, name));
      return uniforms.get(name) ?? null;
    },
  };
}
