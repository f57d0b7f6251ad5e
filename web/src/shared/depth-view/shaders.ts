/**
 * Shifts a grid point horizontally by the shared parallax formula (@framelift/engine/geometry): `perDepth` is `shift`
 * at full strength for a depth one above the convergence, the point carries the `edgeFade` of its column, `inset` is
 * `overscan`. The depth buffer keeps the nearest surface.
 */
export const WARP_VERTEX = `#version 300 es
in vec4 point;
uniform float perDepth;
uniform float convergence;
uniform float inset;
out vec2 uv;
out float near;
void main() {
  uv = point.xy;
  near = point.w;
  float seen = (uv.x + perDepth * (near - convergence) * point.z - inset) / (1.0 - 2.0 * inset);
  gl_Position = vec4(2.0 * seen - 1.0, 1.0 - 2.0 * uv.y, 1.0 - 2.0 * near, 1.0);
}`;

/** The background layer is drawn unchanged: it has no edges to cut. */
export const BACKGROUND_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
in vec2 uv;
in float near;
out vec4 colour;
void main() {
  colour = vec4(texture(picture, uv).rgb, 1.0);
}`;

/**
 * Draws the picture, cut along its depth edges so that the background layer is visible in the gaps:
 * - a far pixel between near points is discarded, because it belongs to the background;
 * - a cell that is turned over is discarded, because nearer cells cover it;
 * - a stretched cell keeps the pixels of its far side at their original size and is cut beyond them.
 */
export const PICTURE_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform sampler2D depthMap;
uniform float columns;
uniform float unstretched;
in vec2 uv;
in float near;
out vec4 colour;

const float EDGE = 0.06;
const float OPENS_AT = 1.5;

void main() {
  float advance = dFdx(uv.x);
  if (advance <= 0.0) discard;
  if (near - texture(depthMap, uv).r > EDGE) discard;
  float stretch = unstretched / advance;
  vec2 at = uv;
  if (stretch > OPENS_AT) {
    float cell = floor(uv.x * columns);
    float across = uv.x * columns - cell;
    bool farIsLeft = dFdx(near) > 0.0;
    float fromFar = (farIsLeft ? across : 1.0 - across) * stretch;
    if (fromFar > 1.0) discard;
    at.x = (farIsLeft ? cell + fromFar : cell + 1.0 - fromFar) / columns;
  }
  colour = vec4(texture(picture, at).rgb, 1.0);
}`;

/** One triangle that covers the viewport. */
export const COMBINE_VERTEX = `#version 300 es
out vec2 uv;
void main() {
  uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}`;

/** Red-cyan from a stereo pair: the Dubois least-squares matrices, in linear light, each product clipped. */
export const ANAGLYPH_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D leftEye;
uniform sampler2D rightEye;
uniform mat3 fromLeft;
uniform mat3 fromRight;
in vec2 uv;
out vec4 colour;

vec3 linear(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}
vec3 srgb(vec3 c) {
  return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
void main() {
  vec3 left = fromLeft * linear(texture(leftEye, uv).rgb);
  vec3 right = fromRight * linear(texture(rightEye, uv).rgb);
  colour = vec4(srgb(clamp(left + right, 0.0, 1.0)), 1.0);
}`;
