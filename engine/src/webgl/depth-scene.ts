import { autoConvergence, fadeWidth, overscan, type Parallax, shift } from '../geometry/index.ts';
import type { Size } from '../types.ts';
import { bind, createProgram, depthTexture, pictureTexture } from './gl.ts';
import { type DepthImage, type Grid, gridFor, gridPoints, gridTriangles, POINT_VALUES } from './grid-mesh.ts';
import type { LoadedParts } from './load-parts.ts';
import { uniformsOf } from './passes.ts';
import { BACKGROUND_FRAGMENT, PICTURE_FRAGMENT, WARP_VERTEX } from './shaders.ts';

/**
 * Cells along the longer side. Edges are cut by the depth of each pixel, so the picture needs no finer grid; the
 * background layer is visible only in narrow strips.
 */
const PICTURE_CELLS = 320;
const BACKGROUND_CELLS = 160;

/** Programs that draw pictures with depth; one set serves all pictures of a context. */
export interface DepthPrograms {
  readonly picture: DepthProgram;
  readonly background: DepthProgram;
  dispose(): void;
}
interface DepthProgram {
  readonly program: WebGLProgram;
  readonly at: (name: string) => WebGLUniformLocation | null;
}

/** Attribute number of the grid's points, the same in both programs. */
const POINT = 0;

/** @throws when the GPU rejects the shaders */
export function createDepthPrograms(gl: WebGL2RenderingContext): DepthPrograms {
  const made = (fragment: string): DepthProgram => {
    const program = createProgram(gl, WARP_VERTEX, fragment);
    return { program, at: uniformsOf(gl, program) };
  };
  const picture = made(PICTURE_FRAGMENT);
  const background = made(BACKGROUND_FRAGMENT);
  return {
    picture,
    background,
    dispose() {
      gl.deleteProgram(picture.program);
      gl.deleteProgram(background.program);
    },
  };
}

/** A picture with depth on the GPU: a grid of the picture, displaced by its depth, over the background layer. */
export interface DepthScene {
  readonly size: Size;
  /** Depth that lies in the plane of the display, chosen from the subject. */
  convergence(): number;
  /**
   * Draws one view into the current viewport, whose depth buffer is clear.
   * @param position −1 leftmost … 1 rightmost
   */
  drawView(parallax: Parallax, position: number): void;
  /** Replaces the depth map of the picture, e.g. by one that is being painted. */
  setDepth(depth: DepthImage): void;
  dispose(): void;
}

/** @throws when the GPU rejects the textures */
export function createDepthScene(gl: WebGL2RenderingContext, programs: DepthPrograms, parts: LoadedParts): DepthScene {
  const size = { width: parts.colour.width, height: parts.colour.height };
  let convergence = autoConvergence({ ...parts.depth, scale: 255 });
  const grid = gridFor(size.width, size.height, PICTURE_CELLS);
  const behind = gridFor(size.width, size.height, BACKGROUND_CELLS);
  const picture = createMesh(gl, grid, gridPoints(grid, parts.depth, 'nearest'));
  const background = createMesh(gl, behind, gridPoints(behind, parts.backgroundDepth, 'own'));
  const textures = {
    colour: pictureTexture(gl, parts.colour, true),
    background: pictureTexture(gl, parts.background, true),
    depth: depthTexture(gl, parts.depth),
  };

  return {
    size,
    convergence: () => convergence,
    drawView(parallax, position) {
      const inset = overscan(parallax);
      // At the centre of the picture the edge fade is 1, so this is the shift of one unit of depth.
      const perDepth = shift(parallax, position, parallax.convergence + 1, 0.5);
      gl.enable(gl.DEPTH_TEST);
      gl.depthFunc(gl.LEQUAL);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      for (const layer of ['background', 'picture'] as const) {
        const { program, at } = programs[layer];
        const mesh = layer === 'picture' ? picture : background;
        gl.useProgram(program);
        gl.bindVertexArray(mesh.points);
        gl.uniform1f(at('perDepth'), perDepth);
        gl.uniform1f(at('convergence'), parallax.convergence);
        gl.uniform1f(at('inset'), inset);
        gl.uniform1f(at('fadeWidth'), fadeWidth(parallax));
        gl.uniform1i(at('picture'), 0);
        bind(gl, 0, layer === 'picture' ? textures.colour : textures.background);
        if (layer === 'picture') {
          gl.uniform1i(at('depthMap'), 1);
          bind(gl, 1, textures.depth);
        }
        // The whole background is behind the whole picture.
        gl.depthMask(layer === 'picture');
        gl.drawElements(gl.TRIANGLES, mesh.indices, gl.UNSIGNED_INT, 0);
      }
      gl.depthMask(true);
      gl.disable(gl.BLEND);
      gl.bindVertexArray(null);
    },
    setDepth(depth) {
      convergence = autoConvergence({ ...depth, scale: 255 });
      gl.bindBuffer(gl.ARRAY_BUFFER, picture.buffer);
      gl.bufferData(gl.ARRAY_BUFFER, gridPoints(grid, depth, 'nearest'), gl.DYNAMIC_DRAW);
      gl.deleteTexture(textures.depth);
      textures.depth = depthTexture(gl, depth);
    },
    dispose() {
      picture.dispose();
      background.dispose();
      for (const texture of Object.values(textures)) gl.deleteTexture(texture);
    },
  };
}

interface Mesh {
  readonly points: WebGLVertexArrayObject;
  readonly buffer: WebGLBuffer;
  readonly indices: number;
  dispose(): void;
}

function createMesh(gl: WebGL2RenderingContext, grid: Grid, points: Uint16Array): Mesh {
  const triangles = gridTriangles(grid);
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(POINT);
  gl.vertexAttribPointer(POINT, POINT_VALUES, gl.UNSIGNED_SHORT, true, 0, 0);
  const indices = gl.createBuffer();
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  return {
    points: array,
    buffer,
    indices: triangles.length,
    dispose() {
      gl.deleteVertexArray(array);
      gl.deleteBuffer(buffer);
      gl.deleteBuffer(indices);
    },
  };
}
