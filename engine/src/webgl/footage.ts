import type { Parallax } from '../geometry/index.ts';
import type { Size } from '../types.ts';
import type { DepthScene } from './depth-scene.ts';
import { type Pixels, pictureTexture, type RenderTarget, refreshTexture } from './gl.ts';
import type { Pass } from './passes.ts';

/** Arrangement of the views in a picture or video. */
export type Packing =
  | { readonly kind: 'whole' }
  /** A stereo pair, the left eye on the left or on top; `half` if each eye is squeezed to half its size. */
  | { readonly kind: 'sideBySide' | 'topBottom'; readonly half: boolean }
  | QuiltPacking;

export interface QuiltPacking {
  readonly kind: 'quilt';
  readonly columns: number;
  readonly rows: number;
  /** Width / height of the display for which it was made. */
  readonly aspect: number;
}

/** Parallax of the views of a picture with depth, at the strength that is wished. */
export type ParallaxOf = (scene: DepthScene) => Parallax;

/** A picture or video on the GPU, of which views can be drawn. */
export interface Footage {
  /** Width / height at which a view is displayed. */
  readonly aspect: number;
  /** The quilt texture for lenses; null for anything else. */
  readonly quilt: QuiltTexture | null;
  /**
   * Draws one view into the current viewport, whose depth buffer is clear.
   * @param position −1 leftmost … 1 rightmost; the nearest view that exists is drawn
   */
  drawView(position: number, parallax: ParallaxOf): void;
  /** Draws the picture as it is packed. */
  drawPacked(): void;
  /** Size in pixels as it is packed. */
  packedSize(): Size;
  /** Fetches the current frame of a video. */
  refresh(): void;
  dispose(): void;
}

export interface QuiltTexture {
  readonly texture: WebGLTexture;
  readonly columns: number;
  readonly rows: number;
  /** Size of a tile as a share of the quilt; pixels left over are at its top and right. */
  readonly tile: Size;
  /** True if the first row of the texture is the top of the quilt. */
  readonly fromTop: boolean;
}

type Part = readonly [left: number, top: number, width: number, height: number];
const WHOLE: Part = [0, 0, 1, 1];

export const sizeOf = (pixels: Pixels): Size =>
  pixels instanceof HTMLVideoElement
    ? { width: pixels.videoWidth, height: pixels.videoHeight }
    : { width: pixels.width, height: pixels.height };

/**
 * Uploads a picture, which it takes over, or the frames of a video.
 * @throws when the GPU rejects the texture
 */
export function createPackedFootage(gl: WebGL2RenderingContext, pass: Pass, pixels: Pixels, packing: Packing): Footage {
  const size = sizeOf(pixels);
  const isVideo = pixels instanceof HTMLVideoElement;
  const texture = pictureTexture(gl, pixels, !isVideo && packing.kind !== 'quilt');
  // The GPU has its own copy.
  if ('close' in pixels) pixels.close();
  const draw = (part: Part) => {
    pass.use({ picture: texture });
    gl.uniform4fv(pass.at('part'), part);
    pass.draw();
  };
  const tile = packing.kind === 'quilt' ? tileShare(packing, size) : null;
  return {
    aspect: aspectOf(packing, size),
    quilt: packing.kind === 'quilt' && tile ? { ...packing, texture, tile, fromTop: true } : null,
    drawView: (position) => draw(partOf(packing, size, position)),
    drawPacked: () => draw(WHOLE),
    packedSize: () => size,
    refresh() {
      // Before the first frame there is nothing to upload, and some drivers report an error.
      if (isVideo && pixels.readyState >= pixels.HAVE_CURRENT_DATA) refreshTexture(gl, texture, pixels);
    },
    dispose: () => gl.deleteTexture(texture),
  };
}

export function createDepthFootage(scene: DepthScene): Footage {
  const drawView: Footage['drawView'] = (position, parallax) => scene.drawView(parallax(scene), position);
  return {
    aspect: scene.size.width / scene.size.height,
    quilt: null,
    drawView,
    drawPacked: () => drawView(0, () => ({ sweep: 0, convergence: 0.5 })),
    packedSize: () => scene.size,
    refresh() {},
    dispose: scene.dispose,
  };
}

/**
 * Adds a quilt that was drawn from a picture with depth. Takes both over.
 * @param grid columns and rows of equal tiles that fill the target
 */
export function withQuilt(footage: Footage, target: RenderTarget, grid: QuiltPacking): Footage {
  const { columns, rows } = grid;
  return {
    ...footage,
    quilt: { texture: target.texture, columns, rows, tile: { width: 1 / columns, height: 1 / rows }, fromTop: false },
    dispose() {
      footage.dispose();
      target.dispose();
    },
  };
}

/** Returns the aspect at which a view is displayed. */
export function aspectOf(packing: Packing, { width, height }: Size): number {
  switch (packing.kind) {
    case 'whole':
      return width / height;
    case 'sideBySide':
      return packing.half ? width / height : width / 2 / height;
    case 'topBottom':
      return packing.half ? width / height : width / (height / 2);
    case 'quilt':
      return packing.aspect;
  }
}

function tileShare({ columns, rows }: QuiltPacking, { width, height }: Size): Size {
  return { width: Math.floor(width / columns) / width, height: Math.floor(height / rows) / height };
}

/** Returns the part of a packed picture that shows the view nearest to a position. */
export function partOf(packing: Packing, size: Size, position: number): Part {
  const second = position > 0 ? 0.5 : 0;
  switch (packing.kind) {
    case 'whole':
      return WHOLE;
    case 'sideBySide':
      return [second, 0, 0.5, 1];
    case 'topBottom':
      return [0, second, 1, 0.5];
    case 'quilt': {
      const { columns, rows } = packing;
      const tile = tileShare(packing, size);
      const view = Math.round(((Math.min(1, Math.max(-1, position)) + 1) / 2) * (columns * rows - 1));
      const rowFromBottom = Math.floor(view / columns);
      return [(view % columns) * tile.width, 1 - (rowFromBottom + 1) * tile.height, tile.width, tile.height];
    }
  }
}
