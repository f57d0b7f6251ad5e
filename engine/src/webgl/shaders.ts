import { FADE_BEND, FADE_FLOOR, FADE_SLOPE } from '../geometry/index.ts';

/**
 * Shifts a grid point horizontally by the shared parallax formula (../geometry/index.ts): `perDepth` is `shift`
 * at full strength for a depth one above the convergence, `fadeWidth` and `inset` are those of the parallax, and
 * `edgeFade` is computed as there. The depth buffer keeps the nearest surface.
 */
export const WARP_VERTEX = `#version 300 es
layout(location = 0) in vec4 point;
uniform float perDepth;
uniform float convergence;
uniform float inset;
uniform float fadeWidth;
out vec2 uv;
out float near;
out float far;

const float FLOOR = float(${FADE_FLOOR});
const float BEND = float(${FADE_BEND});
const float SLOPE = float(${FADE_SLOPE});

float edgeFade(float u) {
  float t = clamp(min(u, 1.0 - u) / fadeWidth, 0.0, 1.0);
  float eased = t < 1.0 - BEND ? SLOPE * t : 1.0 - SLOPE * (1.0 - t) * (1.0 - t) / (2.0 * BEND);
  return FLOOR + (1.0 - FLOOR) * eased;
}

void main() {
  uv = point.xy;
  near = point.z;
  far = point.w;
  float seen = (uv.x + perDepth * (near - convergence) * edgeFade(uv.x) - inset) / (1.0 - 2.0 * inset);
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
 * - a far pixel between near points is not drawn, because it belongs to the background. What a pixel of the screen shows
 *   of near pixels is its opacity, so that outlines are as smooth as those of the files;
 * - a cell that is turned over is discarded, because nearer cells cover it.
 */
export const PICTURE_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform sampler2D depthMap;
in vec2 uv;
in float near;
in float far;
out vec4 colour;

const float EDGE = 0.06;
/** Samples across the pixel, and down. */
const int TAPS = 4;

bool belongs(vec2 place) {
  float here = texture(depthMap, place).r;
  return near - here <= EDGE || near - here < here - far;
}

float opacityAt() {
  // A single surface has no edge.
  if (near - far <= EDGE) return 1.0;
  // What the pixel shows, at least a pixel of the depth map, whose steps would be seen otherwise.
  vec2 part = max(vec2(abs(dFdx(uv.x)), abs(dFdy(uv.y))), 1.0 / vec2(textureSize(depthMap, 0)));
  int covered = 0;
  for (int y = 0; y < TAPS; y++)
    for (int x = 0; x < TAPS; x++)
      if (belongs(uv + ((vec2(x, y) + 0.5) / float(TAPS) - 0.5) * part)) covered++;
  return float(covered) / float(TAPS * TAPS);
}

void main() {
  if (dFdx(uv.x) <= 0.0) discard;
  float opacity = opacityAt();
  if (opacity == 0.0) discard;
  colour = vec4(texture(picture, uv).rgb * opacity, opacity);
}`;

/**
 * One triangle that covers the viewport. `uv` counts from the bottom left, as the pixels of render targets do; `at`
 * from the top left, as those of pictures do.
 */
export const COVER_VERTEX = `#version 300 es
out vec2 uv;
out vec2 at;
void main() {
  uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  at = vec2(uv.x, 1.0 - uv.y);
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}`;

/** Draws a part of a picture: `part` is its left, top, width and height; neighbouring parts never show at its edge. */
export const PART_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform vec4 part;
in vec2 at;
out vec4 colour;
void main() {
  vec2 texel = 0.5 / vec2(textureSize(picture, 0));
  vec2 place = clamp(part.xy + at * part.zw, part.xy + texel, part.xy + part.zw - texel);
  colour = vec4(texture(picture, place).rgb, 1.0);
}`;

/**
 * Red-cyan from a stereo pair: the Dubois least-squares matrices, in linear light; the sum of both products is clipped.
 */
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

/**
 * Interlaces a quilt for the lenses of one panel, pixel by pixel. The phases are computed outside, with the numbers of
 * double precision with which the engine makes its files: `columnPhases` for each column and row modulo four,
 * `rowPhases` for each row, counted from the bottom. As in the files, the middle of a view's share of the lens shows
 * that view alone and what lies between two middles is blended; the first and the last view are not neighbours.
 */
export const NATIVE_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D quilt;
uniform highp sampler2D columnPhases;
uniform highp sampler2D rowPhases;
/** Columns and rows of the quilt. */
uniform ivec2 grid;
/** Size of a tile as a share of the quilt. */
uniform vec2 tile;
/** Area of the picture on the panel in pixels: left, bottom, width, height. */
uniform vec4 area;
/** 1 where the picture is mirrored. */
uniform vec2 flip;
uniform bool invView;
/** True if the first row of the texture is the top of the quilt. */
uniform bool fromTop;
out vec4 colour;

/** Just under 1: a phase of exactly 1 would be a view that does not exist. */
const float LAST = 0.9999999;

vec3 viewAt(int view, vec2 place) {
  vec2 corner = vec2(view % grid.x, view / grid.x) * tile;
  vec2 texel = 0.5 / vec2(textureSize(quilt, 0));
  vec2 within = clamp(place * tile, texel, tile - texel);
  // View 0 is the tile at the bottom left.
  float up = corner.y + within.y;
  return texture(quilt, vec2(corner.x + within.x, fromTop ? 1.0 - up : up)).rgb;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 place = (gl_FragCoord.xy - area.xy) / area.zw;
  if (any(lessThan(place, vec2(0.0))) || any(greaterThan(place, vec2(1.0)))) {
    colour = vec4(0.0, 0.0, 0.0, 1.0);
    return;
  }
  place = mix(place, 1.0 - place, flip);
  vec3 sum = texelFetch(columnPhases, ivec2(pixel.x, pixel.y & 3), 0).rgb + texelFetch(rowPhases, ivec2(pixel.y, 0), 0).r;
  int views = grid.x * grid.y;
  vec3 shown;
  for (int channel = 0; channel < 3; channel++) {
    float phase = fract(sum[channel]);
    phase = min(LAST, invView ? 1.0 - phase : phase);
    float between = clamp(phase * float(views) - 0.5, 0.0, float(views - 1));
    int view = int(between);
    float first = viewAt(view, place)[channel];
    float second = viewAt(min(view + 1, views - 1), place)[channel];
    shown[channel] = mix(first, second, between - float(view));
  }
  colour = vec4(shown, 1.0);
}`;

/**
 * Passes from one finished screen to the next. `cells` are the columns and rows of views on the screen: each slides by
 * itself, so that both eyes see the same motion.
 */
export const TRANSITION_FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D leaving;
uniform sampler2D arriving;
uniform vec2 cells;
uniform float progress;
uniform bool slides;
in vec2 uv;
out vec4 colour;
void main() {
  if (!slides) {
    colour = mix(texture(leaving, uv), texture(arriving, uv), progress);
    return;
  }
  vec2 cell = floor(uv * cells);
  vec2 place = uv * cells - cell;
  place.x += progress;
  bool hasArrived = place.x >= 1.0;
  if (hasArrived) place.x -= 1.0;
  vec2 from = (cell + place) / cells;
  colour = hasArrived ? texture(arriving, from) : texture(leaving, from);
}`;
