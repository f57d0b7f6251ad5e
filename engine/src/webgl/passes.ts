import { DUBOIS_LEFT, DUBOIS_RIGHT } from '../geometry/index.ts';
import { bind, createProgram } from './gl.ts';
import { COVER_VERTEX } from './shaders.ts';

/** A program that covers the viewport with one triangle. */
export interface Pass {
  /** Selects the program with these textures, in the order of the units, before its uniforms are set. */
  use(textures: Readonly<Record<string, WebGLTexture>>): void;
  /** Returns the location of a uniform of this program. */
  at(name: string): WebGLUniformLocation | null;
  draw(): void;
  dispose(): void;
}

/** @throws when the GPU rejects the shader */
export function createPass(gl: WebGL2RenderingContext, fragment: string): Pass {
  const program = createProgram(gl, COVER_VERTEX, fragment);
  const at = uniformsOf(gl, program);
  return {
    at,
    use(textures) {
      gl.useProgram(program);
      gl.bindVertexArray(null);
      gl.disable(gl.DEPTH_TEST);
      for (const [unit, [name, texture]] of Object.entries(textures).entries()) {
        bind(gl, unit, texture);
        gl.uniform1i(at(name), unit);
      }
    },
    draw: () => gl.drawArrays(gl.TRIANGLES, 0, 3),
    dispose: () => gl.deleteProgram(program),
  };
}

/** Returns a lookup of uniform locations that asks the driver once per name. */
export function uniformsOf(gl: WebGL2RenderingContext, program: WebGLProgram) {
  const locations = new Map<string, WebGLUniformLocation | null>();
  return (name: string): WebGLUniformLocation | null => {
    if (!locations.has(name)) locations.set(name, gl.getUniformLocation(program, name));
    return locations.get(name) ?? null;
  };
}

/** Draws the red-cyan picture of two eyes into the current viewport. */
export function drawAnaglyph(
  gl: WebGL2RenderingContext,
  pass: Pass,
  leftEye: WebGLTexture,
  rightEye: WebGLTexture,
): void {
  pass.use({ leftEye, rightEye });
  // The matrices are row-major; WebGL 2 transposes them to its column-major order.
  gl.uniformMatrix3fv(pass.at('fromLeft'), true, DUBOIS_LEFT);
  gl.uniformMatrix3fv(pass.at('fromRight'), true, DUBOIS_RIGHT);
  pass.draw();
}
