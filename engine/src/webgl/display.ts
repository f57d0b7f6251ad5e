import { fitInto } from '../formats/layout.ts';
import { lensRow, lensTable, viewPosition } from '../geometry/index.ts';
import type { Calibration, Rect, Size } from '../types.ts';
import { createDepthPrograms, createDepthScene } from './depth-scene.ts';
import {
  createDepthFootage,
  createPackedFootage,
  type Footage,
  type Packing,
  type ParallaxOf,
  type QuiltPacking,
  type QuiltTexture,
  withQuilt,
} from './footage.ts';
import { createRenderTarget, type Pixels, type RenderTarget, tableTexture } from './gl.ts';
import type { LoadedParts } from './load-parts.ts';
import { createPass, drawAnaglyph } from './passes.ts';
import { ANAGLYPH_FRAGMENT, NATIVE_FRAGMENT, PART_FRAGMENT, TRANSITION_FRAGMENT } from './shaders.ts';

/** How a display shows depth. */
export type DisplayMode = 'flat' | 'parallax' | 'sbs' | 'hsbs' | 'tb' | 'htb' | 'anaglyph' | 'quilt' | 'native';

/** One picture on the screen. */
export interface Shot {
  readonly footage: Footage;
  /** `fit` shows all of the picture, `fill` covers the screen and cuts what is left over. */
  readonly fit: 'fit' | 'fill';
  /** Viewer position −1 … 1, for modes that show one view. */
  readonly position: number;
  readonly parallax: ParallaxOf;
}

export interface Transition {
  readonly to: Shot;
  readonly slides: boolean;
  /** 0 … 1 */
  readonly progress: number;
}

export interface Look {
  readonly mode: DisplayMode;
  /** Lenses of the panel, for `native`. */
  readonly calibration?: Calibration | undefined;
}

/** Draws everything that a display frame shows, into one canvas. */
export interface Display {
  /** Largest side of a texture in pixels. */
  readonly largestSide: number;
  /** @throws when the GPU rejects the texture */
  open(pixels: Pixels, packing: Packing): Footage;
  /** @throws when the GPU rejects the textures */
  openDepth(parts: LoadedParts): Footage;
  /** Adds a quilt, drawn from the depth of the footage, which lenses need. Takes the footage over. */
  addQuilt(footage: Footage, grid: QuiltPacking, tile: Size, parallax: ParallaxOf): Footage;
  draw(shot: Shot, look: Look, transition?: Transition): void;
  /** Releases everything but footage, which its owner disposes before. */
  dispose(): void;
}

/** Columns and rows of views on the screen, the displayed aspect of a cell relative to its pixels, and its eyes. */
const CELLS = {
  sbs: { columns: 2, rows: 1, stretch: 1 },
  hsbs: { columns: 2, rows: 1, stretch: 2 },
  tb: { columns: 1, rows: 2, stretch: 1 },
  htb: { columns: 1, rows: 2, stretch: 0.5 },
} as const;

const isPair = (mode: DisplayMode): mode is keyof typeof CELLS => mode in CELLS;

/**
 * Returns where a picture of an aspect is drawn in a cell, in pixels from the top left.
 * @param stretch displayed aspect of a pixel
 */
export function placeIn(cell: Rect, aspect: number, fit: Shot['fit'], stretch = 1): Rect {
  const cellAspect = (cell.width / cell.height) * stretch;
  if (fit === 'fit') return fitInto(cell, cellAspect, aspect);
  const width = Math.round(cell.width * Math.max(1, aspect / cellAspect));
  const height = Math.round(cell.height * Math.max(1, cellAspect / aspect));
  return {
    x: cell.x - Math.floor((width - cell.width) / 2),
    y: cell.y - Math.floor((height - cell.height) / 2),
    width,
    height,
  };
}

/**
 * True if the picture can be interlaced for a panel: pixels of the canvas are those of the panel, one for one. Anything
 * else would show noise.
 */
export function matchesPanel(canvas: Size, { screen }: Calibration): boolean {
  return canvas.width === screen.width && canvas.height === screen.height;
}

/**
 * @returns null without WebGL 2
 * @throws when the GPU rejects the shaders
 */
export function createDisplay(canvas: HTMLCanvasElement): Display | null {
  const gl = canvas.getContext('webgl2', { antialias: false, alpha: false });
  if (!gl) return null;
  const depthPrograms = createDepthPrograms(gl);
  const part = createPass(gl, PART_FRAGMENT);
  const anaglyph = createPass(gl, ANAGLYPH_FRAGMENT);
  const native = createPass(gl, NATIVE_FRAGMENT);
  const transitionPass = createPass(gl, TRANSITION_FRAGMENT);
  const eyes = targetPair(gl);
  const screens = targetPair(gl);
  let lenses: LensTextures | null = null;

  const clear = () => gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  /** Draws one view inside a cell, without touching what is around the cell. */
  const drawInCell = (shot: Shot, cell: Rect, position: number, stretch: number) => {
    const place = placeIn(cell, shot.footage.aspect, shot.fit, stretch);
    const fromBottom = (rect: Rect) => canvas.height - rect.y - rect.height;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(cell.x, fromBottom(cell), cell.width, cell.height);
    gl.viewport(place.x, fromBottom(place), place.width, place.height);
    shot.footage.drawView(position, shot.parallax);
    gl.disable(gl.SCISSOR_TEST);
  };

  const drawNative = (shot: Shot, quilt: QuiltTexture, calibration: Calibration) => {
    if (lenses?.calibration !== calibration) {
      lenses?.dispose();
      lenses = lensTextures(gl, calibration);
    }
    const { screen, flipImageX, flipImageY, invView } = calibration;
    const area = placeIn({ x: 0, y: 0, ...screen }, shot.footage.aspect, shot.fit);
    native.use({ quilt: quilt.texture, columnPhases: lenses.columns, rowPhases: lenses.rows });
    gl.uniform2i(native.at('grid'), quilt.columns, quilt.rows);
    gl.uniform2f(native.at('tile'), quilt.tile.width, quilt.tile.height);
    gl.uniform4f(native.at('area'), area.x, screen.height - area.y - area.height, area.width, area.height);
    gl.uniform2f(native.at('flip'), Number(flipImageX), Number(flipImageY));
    gl.uniform1i(native.at('invView'), Number(invView));
    gl.uniform1i(native.at('fromTop'), Number(quilt.fromTop));
    native.draw();
  };

  /** Draws one shot into a framebuffer of the canvas's size. */
  const drawShot = (shot: Shot, { mode, calibration }: Look, target: WebGLFramebuffer | null) => {
    const { width, height } = canvas;
    const screen = { x: 0, y: 0, width, height };
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.viewport(0, 0, width, height);
    clear();
    const { quilt } = shot.footage;
    if (mode === 'native' && quilt && calibration && matchesPanel(canvas, calibration)) {
      drawNative(shot, quilt, calibration);
    } else if (mode === 'quilt' && quilt) {
      const size = shot.footage.packedSize();
      const place = fitInto(screen, width / height, size.width / size.height);
      gl.viewport(place.x, height - place.y - place.height, place.width, place.height);
      shot.footage.drawPacked();
    } else if (isPair(mode)) {
      const { columns, rows, stretch } = CELLS[mode];
      const cell = { width: Math.floor(width / columns), height: Math.floor(height / rows) };
      drawInCell(shot, { x: 0, y: 0, ...cell }, -1, stretch);
      drawInCell(shot, { x: (columns - 1) * cell.width, y: (rows - 1) * cell.height, ...cell }, 1, stretch);
    } else if (mode === 'anaglyph') {
      const targets = eyes.at(width, height);
      for (const [index, eye] of targets.entries()) {
        gl.bindFramebuffer(gl.FRAMEBUFFER, eye.framebuffer);
        clear();
        drawInCell(shot, screen, index === 0 ? -1 : 1, 1);
      }
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      gl.viewport(0, 0, width, height);
      drawAnaglyph(gl, anaglyph, targets[0].texture, targets[1].texture);
    } else drawInCell(shot, screen, mode === 'flat' ? 0 : shot.position, 1);
  };

  return {
    largestSide: gl.getParameter(gl.MAX_TEXTURE_SIZE) as number,
    open: (pixels, packing) => createPackedFootage(gl, part, pixels, packing),
    openDepth: (parts) => createDepthFootage(createDepthScene(gl, depthPrograms, parts)),
    addQuilt(footage, grid, tile, parallax) {
      const target = createRenderTarget(gl, grid.columns * tile.width, grid.rows * tile.height);
      gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
      gl.clearColor(0, 0, 0, 1);
      clear();
      const count = grid.columns * grid.rows;
      for (let view = 0; view < count; view++) {
        const [column, row] = [view % grid.columns, Math.floor(view / grid.columns)];
        gl.viewport(column * tile.width, row * tile.height, tile.width, tile.height);
        footage.drawView(viewPosition(view, count), parallax);
      }
      return withQuilt(footage, target, grid);
    },
    draw(shot, look, transition) {
      gl.clearColor(0, 0, 0, 1);
      shot.footage.refresh();
      if (!transition) {
        screens.dispose();
        if (look.mode !== 'anaglyph') eyes.dispose();
        drawShot(shot, look, null);
        return;
      }
      transition.to.footage.refresh();
      const { width, height } = canvas;
      const [leaving, arriving] = screens.at(width, height);
      drawShot(shot, look, leaving.framebuffer);
      drawShot(transition.to, look, arriving.framebuffer);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.viewport(0, 0, width, height);
      transitionPass.use({ leaving: leaving.texture, arriving: arriving.texture });
      const { columns, rows } = isPair(look.mode) ? CELLS[look.mode] : { columns: 1, rows: 1 };
      gl.uniform2f(transitionPass.at('cells'), columns, rows);
      gl.uniform1f(transitionPass.at('progress'), transition.progress);
      // Lenses fit only the columns for which a pixel was made, and a quilt's views are not places on the screen.
      const slides = transition.slides && look.mode !== 'native' && look.mode !== 'quilt';
      gl.uniform1i(transitionPass.at('slides'), Number(slides));
      transitionPass.draw();
    },
    dispose() {
      lenses?.dispose();
      eyes.dispose();
      screens.dispose();
      depthPrograms.dispose();
      for (const pass of [part, anaglyph, native, transitionPass]) pass.dispose();
    },
  };
}

/** Two render targets of one size, made when they are needed. */
function targetPair(gl: WebGL2RenderingContext) {
  let pair: readonly [RenderTarget, RenderTarget] | null = null;
  const dispose = () => {
    for (const target of pair ?? []) target.dispose();
    pair = null;
  };
  return {
    dispose,
    at(width: number, height: number): readonly [RenderTarget, RenderTarget] {
      if (pair?.[0].width === width && pair[0].height === height) return pair;
      dispose();
      pair = [createRenderTarget(gl, width, height), createRenderTarget(gl, width, height)];
      return pair;
    },
  };
}

interface LensTextures {
  readonly calibration: Calibration;
  readonly columns: WebGLTexture;
  readonly rows: WebGLTexture;
  dispose(): void;
}

/**
 * The phases of a panel as textures. The whole numbers are taken off in double precision: the GPU's numbers hold a view
 * number only for small phases.
 */
function lensTextures(gl: WebGL2RenderingContext, calibration: Calibration): LensTextures {
  const table = lensTable(calibration);
  const { width, height } = table;
  const columnPhases = new Float32Array(table.columns.length * 3 * width);
  for (const [row, phases] of table.columns.entries())
    for (let i = 0; i < phases.length; i++) columnPhases[row * 3 * width + i] = fraction(phases[i] as number);
  const rowPhases = Float32Array.from({ length: height }, (_, y) => fraction(lensRow(table, y).offset));
  const columns = tableTexture(gl, width, table.columns.length, columnPhases);
  const rows = tableTexture(gl, height, 1, rowPhases);
  return {
    calibration,
    columns,
    rows,
    dispose() {
      gl.deleteTexture(columns);
      gl.deleteTexture(rows);
    },
  };
}

const fraction = (value: number) => value - Math.floor(value);
