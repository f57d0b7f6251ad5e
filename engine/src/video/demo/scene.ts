/**
 * The scene of the demonstration event: lanterns that circle a clock in the evening, seen by three cameras. It repeats after
 * a minute; the hand of the clock points at the second of the minute. Drawn here pixel by pixel: no picture of anybody else,
 * and no font.
 */

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
type Colour = readonly [red: number, green: number, blue: number];

/** Seconds until everything is where it was. */
export const SCENE_SECONDS = 60;
const CAMERAS: readonly { readonly at: Vector; readonly focal: number }[] = [
  { at: { x: -7.5, y: 2.4, z: -6 }, focal: 1.85 },
  { at: { x: 0.6, y: 1.7, z: -9 }, focal: 1.9 },
  { at: { x: 4.5, y: 8.5, z: -6 }, focal: 2.0 },
];
export const CAMERA_COUNT = CAMERAS.length;
const TARGET: Vector = { x: 0, y: 1.25, z: 0 };
const LIGHT = unit({ x: -0.5, y: 0.8, z: -0.45 });

/** What circles: its distance from the middle, height, radius, rounds a minute, start and colour. */
const LANTERNS: readonly {
  readonly far: number;
  readonly high: number;
  readonly size: number;
  readonly rounds: number;
  readonly start: number;
  readonly colour: Colour;
}[] = [
  { far: 2.3, high: 1.1, size: 0.42, rounds: 6, start: 0, colour: [255, 154, 70] },
  { far: 2.3, high: 1.1, size: 0.42, rounds: 6, start: 1 / 3, colour: [240, 84, 84] },
  { far: 2.3, high: 1.1, size: 0.42, rounds: 6, start: 2 / 3, colour: [255, 206, 92] },
  { far: 3.6, high: 2.5, size: 0.3, rounds: -4, start: 0.1, colour: [120, 200, 255] },
  { far: 3.6, high: 2.5, size: 0.3, rounds: -4, start: 0.6, colour: [180, 140, 255] },
  { far: 4.4, high: 0.35, size: 0.35, rounds: 10, start: 0.4, colour: [130, 225, 150] },
];

/** Draws one camera. */
export interface SceneView {
  /**
   * Returns the picture at a time in seconds as planes of YUV 4:2:0 in BT.709. The array is used again for the next one.
   * @param counts writes the seconds into the corner as well, by which people compare cameras; true by default
   */
  draw(seconds: number, counts?: boolean): Uint8Array;
  /** The picture that was drawn last, as RGB. */
  readonly rgb: Uint8Array;
}

/** @param width even, as is `height` */
export function createSceneView(camera: number, width: number, height: number): SceneView {
  const { at, focal } = CAMERAS[camera] as (typeof CAMERAS)[number];
  const forward = unit(minus(TARGET, at));
  const right = unit(cross({ x: 0, y: 1, z: 0 }, forward));
  const up = cross(forward, right);
  const scale = focal * (height / 2);
  const rgb = new Uint8Array(width * height * 3);
  const planes = new Uint8Array((width * height * 3) / 2);
  const empty = background();

  function project(point: Vector): { readonly x: number; readonly y: number; readonly z: number } {
    const from = minus(point, at);
    const z = dot(from, forward);
    return { x: width / 2 + (scale * dot(from, right)) / z, y: height / 2 - (scale * dot(from, up)) / z, z };
  }

  function background(): Uint8Array {
    const drawn = new Uint8Array(rgb.length);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const sum = [0, 0, 0];
        // Four rays a pixel smooth the edges of what never moves.
        for (const [dx, dy] of [
          [0.25, 0.25],
          [0.75, 0.25],
          [0.25, 0.75],
          [0.75, 0.75],
        ] as const) {
          const [a, b] = [(x + dx - width / 2) / scale, (height / 2 - y - dy) / scale];
          const ray = unit({
            x: forward.x + right.x * a + up.x * b,
            y: forward.y + right.y * a + up.y * b,
            z: forward.z + right.z * a + up.z * b,
          });
          colourOf(ray, at).forEach((value, channel) => {
            sum[channel] = (sum[channel] ?? 0) + value / 4;
          });
        }
        drawn.set(sum, (y * width + x) * 3);
      }
    }
    return drawn;
  }

  function mix(x: number, y: number, colour: Colour, share: number): void {
    if (x < 0 || y < 0 || x >= width || y >= height || share <= 0) return;
    const index = (y * width + x) * 3;
    for (let channel = 0; channel < 3; channel += 1) {
      const under = rgb[index + channel] ?? 0;
      rgb[index + channel] = Math.max(0, Math.min(255, under + ((colour[channel] ?? 0) - under) * share));
    }
  }

  /** Paints an ellipse, its edge smoothed; `paint` tells colour and share by the place in it, from -1 to 1. */
  function ellipse(
    x: number,
    y: number,
    rx: number,
    ry: number,
    paint: (u: number, v: number) => readonly [Colour, number],
  ): void {
    const soft = Math.max(1, Math.min(rx, ry));
    for (let row = Math.floor(y - ry) - 1; row <= y + ry + 1; row += 1) {
      for (let column = Math.floor(x - rx) - 1; column <= x + rx + 1; column += 1) {
        const [u, v] = [(column + 0.5 - x) / rx, (row + 0.5 - y) / ry];
        const inside = (1 - Math.hypot(u, v)) * soft + 0.5;
        if (inside <= 0) continue;
        const [colour, share] = paint(u, v);
        mix(column, row, colour, share * Math.min(1, inside));
      }
    }
  }

  function line(from: { x: number; y: number }, to: { x: number; y: number }, thick: number, colour: Colour): void {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.max(1e-6, dx * dx + dy * dy);
    for (let y = Math.floor(Math.min(from.y, to.y) - thick); y <= Math.max(from.y, to.y) + thick; y += 1) {
      for (let x = Math.floor(Math.min(from.x, to.x) - thick); x <= Math.max(from.x, to.x) + thick; x += 1) {
        const [px, py] = [x + 0.5 - from.x, y + 0.5 - from.y];
        const along = Math.max(0, Math.min(1, (px * dx + py * dy) / length));
        mix(x, y, colour, Math.min(1, thick / 2 + 0.5 - Math.hypot(px - along * dx, py - along * dy)));
      }
    }
  }

  function shadow({ x, z }: Vector, size: number, share: number): void {
    const spot = project({ x, y: 0, z });
    const radius = (scale * size) / spot.z;
    const slope = Math.max(0.12, at.y / Math.hypot(at.x - x, at.y, at.z - z));
    ellipse(spot.x, spot.y, radius * 1.3, radius * 1.3 * slope, (u, v) => [[8, 14, 26], share * (1 - u * u - v * v)]);
  }

  function lantern(place: Vector, size: number, colour: Colour): void {
    const spot = project(place);
    const radius = (scale * size) / spot.z;
    const glow = radius * 2.4;
    ellipse(spot.x, spot.y, glow, glow, (u, v) => [colour, 0.28 * (1 - Math.hypot(u, v)) ** 2]);
    ellipse(spot.x, spot.y, radius, radius, (u, v) => {
      const depth = Math.sqrt(Math.max(0, 1 - u * u - v * v));
      // The side that is seen, turned into the world, so that the light falls from one side in all cameras.
      const normal = {
        x: right.x * u - up.x * v - forward.x * depth,
        y: right.y * u - up.y * v - forward.y * depth,
        z: right.z * u - up.z * v - forward.z * depth,
      };
      const lit = 0.62 + 0.38 * dot(normal, LIGHT) + 0.12 * depth;
      const ribs = 0.94 + 0.06 * Math.cos(normal.y * 26);
      return [[colour[0] * lit * ribs, colour[1] * lit * ribs, colour[2] * lit * ribs], 1];
    });
  }

  function clock(seconds: number): void {
    const [foot, top, middle] = [
      { x: 0, y: 0, z: 0 },
      { x: 0, y: 1.3, z: 0 },
      { x: 0, y: 2.2, z: 0 },
    ].map(project) as [ReturnType<typeof project>, ReturnType<typeof project>, ReturnType<typeof project>];
    const radius = (scale * 0.95) / middle.z;
    line(foot, top, radius * 0.16, [58, 66, 92]);
    ellipse(middle.x, middle.y, radius, radius, () => [[44, 52, 80], 1]);
    ellipse(middle.x, middle.y, radius * 0.9, radius * 0.9, () => [[250, 246, 235], 1]);
    const on = (turn: number, far: number) => ({
      x: middle.x + Math.sin(turn * 2 * Math.PI) * radius * far,
      y: middle.y - Math.cos(turn * 2 * Math.PI) * radius * far,
    });
    for (let mark = 0; mark < 12; mark += 1)
      line(on(mark / 12, mark % 3 === 0 ? 0.66 : 0.74), on(mark / 12, 0.82), radius * 0.05, [70, 78, 104]);
    line(on(seconds / 60 + 0.5, 0.14), on(seconds / 60, 0.76), radius * 0.07, [214, 62, 62]);
    ellipse(middle.x, middle.y, radius * 0.09, radius * 0.09, () => [[214, 62, 62], 1]);
  }

  /** Writes the second of the minute, with its tenth, in the upper left corner. */
  function counter(seconds: number): void {
    const unitPx = height / 90;
    const text = (seconds % 60).toFixed(1).padStart(4, '0');
    let left = unitPx * 5;
    const rect = (x: number, y: number, w: number, h: number) => {
      for (let row = Math.round(y); row < Math.round(y + h); row += 1)
        for (let column = Math.round(x); column < Math.round(x + w); column += 1)
          mix(column, row, [255, 244, 220], 0.92);
    };
    for (const sign of text) {
      const top = unitPx * 5;
      if (sign === '.') {
        rect(left, top + 8.4 * unitPx, 1.2 * unitPx, 1.2 * unitPx);
        left += 2.4 * unitPx;
        continue;
      }
      for (const segment of SEGMENTS[Number(sign)] ?? '') {
        const [x = 0, y = 0, w = 0, h = 0] = SHAPES[segment] ?? [];
        rect(left + x * unitPx, top + y * unitPx, w * unitPx, h * unitPx);
      }
      left += 6.6 * unitPx;
    }
  }

  return {
    rgb,
    draw(seconds, counts = true) {
      rgb.set(empty);
      const things = LANTERNS.map(({ far, high, size, rounds, start, colour }) => {
        const turn = 2 * Math.PI * (start + (rounds * seconds) / SCENE_SECONDS);
        const place = {
          x: Math.cos(turn) * far,
          y: high + 0.25 * Math.sin(turn * 2),
          z: Math.sin(turn) * far,
        };
        return { place, size, z: project(place).z, paint: () => lantern(place, size, colour) };
      });
      shadow({ x: 0, y: 0, z: 0 }, 0.5, 0.5);
      for (const { place, size } of things) shadow(place, size, 0.55);
      const middle = { z: project({ x: 0, y: 1.5, z: 0 }).z, paint: () => clock(seconds) };
      for (const { paint } of [...things, middle].sort((a, b) => b.z - a.z)) paint();
      if (counts) counter(seconds);
      return toYuv(rgb, planes, width, height);
    },
  };
}

/** Bars of each digit, and their places: x, y, width, height. */
const SEGMENTS = ['abcdef', 'bc', 'abged', 'abgcd', 'fgbc', 'afgcd', 'afgedc', 'abc', 'abcdefg', 'abcdfg'] as const;
const SHAPES: Readonly<Record<string, readonly number[]>> = {
  a: [0.6, 0, 3.4, 1.2],
  b: [3.8, 0.6, 1.2, 3.8],
  c: [3.8, 5.2, 1.2, 3.8],
  d: [0.6, 8.4, 3.4, 1.2],
  e: [-0.4, 5.2, 1.2, 3.8],
  f: [-0.4, 0.6, 1.2, 3.8],
  g: [0.6, 4.2, 3.4, 1.2],
};

/** Returns the colour of the evening in the direction of a ray: meadow with a round square, hills, sky and stars. */
function colourOf(ray: Vector, from: Vector): Colour {
  if (ray.y < -0.002) {
    const reach = -from.y / ray.y;
    const [x, z] = [from.x + ray.x * reach, from.z + ray.z * reach];
    const far = Math.hypot(x, z);
    const stone = far < 5.2;
    const ring = stone && Math.abs((far % 1.3) - 0.65) > 0.58;
    const rays = stone && far > 0.5 && Math.abs((((((Math.atan2(z, x) / Math.PI) * 12) % 1) + 1) % 1) - 0.5) > 0.47;
    const grain = 0.94 + 0.06 * Math.sin(x * 3.1 + Math.sin(z * 2.3) * 2) * Math.sin(z * 2.7);
    const base: Colour = stone ? (ring || rays ? [126, 112, 120] : [92, 84, 104]) : [38, 74, 66];
    const warm = 0.55 * Math.exp((-far * far) / 18);
    const haze = Math.min(1, Math.hypot(x - from.x, z - from.z) / 42);
    return blend(
      [base[0] * grain + 90 * warm, base[1] * grain + 58 * warm, base[2] * grain + 24 * warm],
      [96, 84, 112],
      haze,
    );
  }
  const azimuth = Math.atan2(ray.x, ray.z);
  const hills = 0.05 + 0.035 * Math.sin(azimuth * 5 + 1) + 0.02 * Math.sin(azimuth * 11);
  if (ray.y < hills) return blend([58, 60, 92], [88, 78, 108], 1 - ray.y / Math.max(hills, 0.001));
  const high = Math.min(1, ray.y / 0.7);
  const sky = blend(blend([250, 158, 104], [146, 96, 140], Math.min(1, high * 3)), [24, 30, 70], high ** 0.7);
  const [row, column] = [Math.floor(ray.y * 260), Math.floor(azimuth * 260)];
  const star = Math.abs(Math.sin(row * 127.1 + column * 311.7) * 43758.5453) % 1;
  return star > 0.9985 && high > 0.25 ? blend(sky, [255, 255, 240], high) : sky;
}

function toYuv(rgb: Uint8Array, planes: Uint8Array, width: number, height: number): Uint8Array {
  const [chroma, half] = [width * height, width / 2];
  const second = chroma + half * (height / 2);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let [red, green, blue] = [0, 0, 0];
      for (const offset of [0, 1, width, width + 1]) {
        const pixel = y * width + x + offset;
        const [r = 0, g = 0, b = 0] = [rgb[pixel * 3], rgb[pixel * 3 + 1], rgb[pixel * 3 + 2]];
        planes[pixel] = 16 + 0.1826 * r + 0.6142 * g + 0.062 * b + 0.5;
        red += r;
        green += g;
        blue += b;
      }
      const at = (y / 2) * half + x / 2;
      planes[chroma + at] = 128 + (-0.1006 * red - 0.3386 * green + 0.4392 * blue) / 4 + 0.5;
      planes[second + at] = 128 + (0.4392 * red - 0.3989 * green - 0.0403 * blue) / 4 + 0.5;
    }
  }
  return planes;
}

const blend = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];
const minus = (a: Vector, b: Vector): Vector => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const dot = (a: Vector, b: Vector): number => a.x * b.x + a.y * b.y + a.z * b.z;
const cross = (a: Vector, b: Vector): Vector => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});
function unit(vector: Vector): Vector {
  const length = Math.hypot(vector.x, vector.y, vector.z);
  return { x: vector.x / length, y: vector.y / length, z: vector.z / length };
}
