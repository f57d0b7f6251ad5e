import type { DepthImage } from './grid-mesh.ts';

/** @throws when the GPU rejects the shaders */
export function createProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  const shaders: WebGLShader[] = [];
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error('The graphics context is gone');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    shaders.push(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    const reasons = [...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(program)];
    throw new Error(`The shader was refused: ${reasons.filter(Boolean).join(' ')}`);
  }
  // They live on in the program.
  for (const shader of shaders) gl.deleteShader(shader);
  return program;
}

export function bind(gl: WebGL2RenderingContext, unit: number, texture: WebGLTexture): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
}

function createTexture(gl: WebGL2RenderingContext, filter: number): WebGLTexture {
  const texture = gl.createTexture();
  bind(gl, 0, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

/** Pixels that WebGL reads from the browser: a decoded picture or the current frame of a video. */
export type Pixels = ImageBitmap | HTMLVideoElement | HTMLCanvasElement;

/**
 * Creates a texture from decoded pixels.
 * @param shrinks true where the picture may be drawn smaller than it is: without mipmaps pixels would be skipped, and
 * fine texture would flicker in motion. Pictures whose parts are separate views have none, as views would mix.
 */
export function pictureTexture(gl: WebGL2RenderingContext, pixels: Pixels, shrinks: boolean): WebGLTexture {
  const texture = createTexture(gl, gl.LINEAR);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  if (shrinks) {
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  }
  return texture;
}

/** Replaces the pixels of a texture, by another frame of the same video. */
export function refreshTexture(gl: WebGL2RenderingContext, texture: WebGLTexture, pixels: Pixels): void {
  bind(gl, 0, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
}

/** Creates a table of numbers for `texelFetch`: one or three per texel. */
export function tableTexture(
  gl: WebGL2RenderingContext,
  width: number,
  height: number,
  data: Float32Array,
): WebGLTexture {
  const texture = createTexture(gl, gl.NEAREST);
  const single = data.length === width * height;
  const [internal, format] = single ? [gl.R32F, gl.RED] : [gl.RGB32F, gl.RGB];
  gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, gl.FLOAT, data);
  return texture;
}

/** Nearest filtering: interpolated values between near and far would belong to no surface. */
export function depthTexture(gl: WebGL2RenderingContext, { data, width, height }: DepthImage): WebGLTexture {
  const texture = createTexture(gl, gl.NEAREST);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, width, height, 0, gl.RED, gl.UNSIGNED_BYTE, data);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
  return texture;
}

/** A texture that can be drawn into, with a depth buffer. */
export interface RenderTarget {
  readonly framebuffer: WebGLFramebuffer;
  readonly texture: WebGLTexture;
  readonly width: number;
  readonly height: number;
  dispose(): void;
}

export function createRenderTarget(gl: WebGL2RenderingContext, width: number, height: number): RenderTarget {
  const texture = createTexture(gl, gl.LINEAR);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  const nearness = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, nearness);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, width, height);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, nearness);
  return {
    framebuffer,
    texture,
    width,
    height,
    dispose() {
      gl.deleteFramebuffer(framebuffer);
      gl.deleteRenderbuffer(nearness);
      gl.deleteTexture(texture);
    },
  };
}
