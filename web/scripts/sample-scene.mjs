// Draws the landing page's sample: a paper-cut evening that leaves its frame, with its exact depth.
//
// Every layer is a drawing plus its distance, so nothing is estimated: the picture is composed from far to near, and
// for each pixel the nearest surface (colour, depth) and the one right behind it (background, background depth) are
// kept. The files match the four that the server makes for a finished conversion (see the engine's PreviewFiles).
//
//   node web/scripts/sample-scene.mjs      writes web/src/features/landing/sample/*
import { mkdirSync, statSync } from 'node:fs';
import sharp from 'sharp';

const WIDTH = 1200;
const HEIGHT = 960;
/** Drawn larger and scaled down once, for smooth colour edges. */
const SCALE = 2;
const OUT = `${import.meta.dirname}/../src/features/landing/sample/`;

/** The opening of the frame and the frame around it. */
const OPENING = { x: 246, y: 172, width: 708, height: 590 };
const FRAME = 30;
/** What lies in the opening goes on under the frame, for it shows there when the view moves. */
const UNDER = 28;
const window = {
  x: OPENING.x - UNDER,
  y: OPENING.y - UNDER,
  width: OPENING.width + 2 * UNDER,
  height: OPENING.height + 2 * UNDER,
};
const windowRect = `<rect x="${window.x}" y="${window.y}" width="${window.width}" height="${window.height}"`;
const inside = `clip-path="url(#opening)"`;
const definitions = `
  <clipPath id="opening">${windowRect}/></clipPath>
  <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="#10243f"/><stop offset=".38" stop-color="#2c5a78"/>
    <stop offset=".66" stop-color="#e79a7c"/><stop offset="1" stop-color="#ffd9a6"/>
  </linearGradient>
  <radialGradient id="wall" cx=".5" cy=".3" r=".85">
    <stop offset="0" stop-color="#363a4c"/><stop offset=".55" stop-color="#20232f"/><stop offset="1" stop-color="#12141b"/>
  </radialGradient>
  <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#f4ead9"/><stop offset="1" stop-color="#cdb692"/>
  </linearGradient>
  <radialGradient id="moon" cx=".4" cy=".38" r=".7">
    <stop offset="0" stop-color="#fff8e6"/><stop offset="1" stop-color="#f7dcae"/>
  </radialGradient>
  <radialGradient id="lantern" cx=".5" cy=".78" r=".8">
    <stop offset="0" stop-color="#fff0b8"/><stop offset=".45" stop-color="#ffb35c"/><stop offset="1" stop-color="#e2573d"/>
  </radialGradient>
  <linearGradient id="near" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="#2b3a52"/><stop offset="1" stop-color="#182236"/>
  </linearGradient>`;

/** A ridge from left to right through `points`, smooth, closed far below the picture. */
function ridge(points) {
  const [first, ...rest] = points;
  let path = `M${first[0]} ${first[1]}`;
  let from = first;
  for (const to of rest) {
    const middle = (from[0] + to[0]) / 2;
    path += ` C${middle} ${from[1]} ${middle} ${to[1]} ${to[0]} ${to[1]}`;
    from = to;
  }
  return `${path} V1200 H${first[0]} Z`;
}

const hills = [
  {
    colour: '#d98f80',
    depth: 0.12,
    points: [
      [200, 560],
      [330, 500],
      [450, 556],
      [580, 478],
      [720, 548],
      [860, 500],
      [1000, 548],
    ],
  },
  {
    colour: '#b06d77',
    depth: 0.2,
    points: [
      [200, 600],
      [300, 560],
      [420, 612],
      [560, 540],
      [690, 606],
      [820, 556],
      [1000, 610],
    ],
  },
  {
    colour: '#7d4f6e',
    depth: 0.28,
    points: [
      [200, 628],
      [340, 662],
      [470, 588],
      [620, 664],
      [760, 604],
      [900, 652],
      [1000, 610],
    ],
  },
  {
    colour: '#4c3d63',
    depth: 0.37,
    points: [
      [200, 690],
      [320, 640],
      [460, 706],
      [600, 660],
      [740, 716],
      [880, 662],
      [1000, 700],
    ],
  },
];

/** A fir of paper: three stacked triangles on a stem, its foot at (x, y). */
function fir(x, y, size) {
  const tiers = [0, 1, 2].map((tier) => {
    const top = y - size * (1 - tier * 0.24);
    const half = size * (0.13 + tier * 0.07);
    return `M${x} ${top} L${x + half} ${top + size * 0.4} H${x - half} Z`;
  });
  return `${tiers.join(' ')} M${x - size * 0.03} ${y - size * 0.2} h${size * 0.06} v${size * 0.25} h-${size * 0.06} Z`;
}

const lantern = (x, y, size, turn) => `
  <g transform="translate(${x} ${y}) rotate(${turn}) scale(${size / 100})">
    <path d="M-36 -50 Q0 -64 36 -50 L28 46 Q0 56 -28 46 Z" fill="url(#lantern)"/>
    <path d="M-12 -57 L-9 50 M14 -56 L10 50" stroke="#c9482f" stroke-opacity=".35" stroke-width="2.5" fill="none"/>
    <path d="M-28 46 Q0 56 28 46 L26 54 Q0 63 -26 54 Z" fill="#8e3424"/>
  </g>`;
const lanternShape = (x, y, size, turn, fill) => `
  <g transform="translate(${x} ${y}) rotate(${turn}) scale(${size / 100})" fill="${fill}">
    <path d="M-36 -50 Q0 -64 36 -50 L28 46 L26 54 Q0 63 -26 54 L-28 46 Z"/>
  </g>`;

/** A folded crane in facets: points, colour, depth at its two ends along the given axis. */
const crane = [
  // far wing
  { points: '-34,12 30,6 -70,-236', colour: '#d8dfe8', from: [0, 10, 0.7], to: [-70, -236, 0.62] },
  { points: '30,6 64,8 -70,-236', colour: '#bcc8d6', from: [30, 8, 0.7], to: [-70, -236, 0.62] },
  // tail
  { points: '34,6 92,34 250,-84', colour: '#ffffff', from: [60, 20, 0.78], to: [250, -84, 0.68] },
  { points: '92,34 76,48 250,-84', colour: '#ced6e0', from: [84, 40, 0.78], to: [250, -84, 0.68] },
  // neck and head
  { points: '-30,4 -40,24 -206,-98', colour: '#f6f3ee', from: [-40, 30, 0.8], to: [-206, -98, 0.88] },
  { points: '-40,24 -48,44 -206,-98', colour: '#cdd3dc', from: [-28, 50, 0.8], to: [-206, -98, 0.88] },
  { points: '-206,-98 -180,-76 -250,-64', colour: '#ff8268', from: [-180, -80, 0.87], to: [-250, -64, 0.9] },
  // body
  { points: '-48,44 -44,10 98,30 26,92', colour: '#e9edf2', from: [-56, 16, 0.81], to: [98, 30, 0.81] },
  { points: '20,24 98,30 26,92', colour: '#c3ccd8', from: [20, 24, 0.81], to: [98, 30, 0.81] },
  // near wing
  { points: '-48,20 44,30 168,-226', colour: '#ffffff', from: [0, 26, 0.82], to: [168, -226, 1] },
  { points: '44,30 98,30 168,-226', colour: '#dbe2ea', from: [70, 30, 0.82], to: [168, -226, 1] },
];
const craneAt = (x, y, size, turn, content) =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})">${content}</g>`;
const craneColour = crane.map(({ points, colour }) => `<polygon points="${points}" fill="${colour}"/>`).join('');
const grey = (depth) => {
  const level = Math.round(depth * 255);
  return `rgb(${level},${level},${level})`;
};
const craneDepth = crane
  .map(
    ({ points, from, to }, index) => `
    <linearGradient id="crane${index}" gradientUnits="userSpaceOnUse" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}">
      <stop offset="0" stop-color="${grey(from[2])}"/><stop offset="1" stop-color="${grey(to[2])}"/>
    </linearGradient><polygon points="${points}" fill="url(#crane${index})"/>`,
  )
  .join('');
const craneShape = crane.map(({ points }) => `<polygon points="${points}"/>`).join('');

const rect = (x, y, width, height) => `M${x} ${y} h${width} v${height} h${-width} Z`;
const { x, y, width, height } = OPENING;
const frameShape = `${rect(x - FRAME, y - FRAME, width + 2 * FRAME, height + 2 * FRAME)} ${rect(x, y, width, height)}`;

/**
 * From far to near. `colour` is what is seen, `shape` its outline, `depth` one number for all of it or a drawing in
 * greys; `shadow` falls on what is behind, `glow` brightens it; nothing is seen behind a `ground`.
 */
const layers = [
  {
    colour: `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#wall)"/>`,
    shape: `<rect width="${WIDTH}" height="${HEIGHT}"/>`,
    depth: 0.5,
    ground: true,
  },
  {
    colour: `${windowRect} fill="url(#sky)"/>
      ${[
        [300, 220],
        [352, 300],
        [420, 214],
        [512, 262],
        [640, 208],
        [598, 330],
        [858, 228],
        [912, 330],
        [474, 342],
        [290, 372],
      ]
        .map(
          ([cx, cy], index) =>
            `<circle cx="${cx}" cy="${cy}" r="${index % 3 === 0 ? 2.6 : 1.7}" fill="#fff" fill-opacity=".8"/>`,
        )
        .join('')}`,
    shape: `${windowRect}/>`,
    depth: 0,
    ground: true,
  },
  {
    colour: `<circle cx="716" cy="352" r="96" fill="url(#moon)"/>`,
    shape: `<circle cx="716" cy="352" r="96"/>`,
    depth: 0.05,
    glow: { drawing: `<circle cx="716" cy="352" r="130" fill="#ffe6bd" ${inside}/>`, blur: 48, strength: 0.5 },
  },
  ...hills.map(({ colour, depth, points }) => ({
    colour: `<path d="${ridge(points)}" fill="${colour}" ${inside}/>`,
    shape: `<path d="${ridge(points)}" ${inside}/>`,
    depth,
    shadow: { drawing: `<path d="${ridge(points)}" ${inside}/>`, dy: -5, blur: 9, strength: 0.3 },
  })),
  ...[
    { at: [566, 408, 30, 5], depth: 0.22 },
    { at: [866, 452, 42, -6], depth: 0.3 },
  ].map(({ at, depth }) => ({
    colour: lantern(...at),
    shape: lanternShape(...at, '#000'),
    depth,
    glow: {
      drawing: `<circle cx="${at[0]}" cy="${at[1] + 6}" r="${at[2] * 0.9}" fill="#ffb35c"/>`,
      blur: 16,
      strength: 0.5,
    },
  })),
  {
    colour: `<path d="${frameShape}" fill="url(#wood)" fill-rule="evenodd"/>
      <path d="${rect(x - 4, y - 4, width + 8, height + 8)} ${rect(x, y, width, height)}" fill="#a98f68" fill-rule="evenodd"/>`,
    shape: `<path d="${frameShape}" fill-rule="evenodd"/>`,
    depth: 0.54,
    shadow: { drawing: `<path d="${frameShape}" fill-rule="evenodd"/>`, dx: 6, dy: 16, blur: 20, strength: 0.6 },
  },
  (() => {
    const hill = ridge([
      [150, 872],
      [238, 776],
      [372, 738],
      [520, 790],
      [668, 742],
      [826, 786],
      [962, 740],
      [1052, 872],
    ]).replace(/ V1200.*/, ' Q600 918 150 872 Z');
    const trees = [
      fir(330, 760, 168),
      fir(408, 772, 108),
      fir(878, 782, 150),
      fir(942, 764, 214),
      fir(806, 798, 96),
    ].join(' ');
    return {
      colour: `<path d="${trees}" fill="#22304a"/><path d="${hill}" fill="url(#near)"/>`,
      shape: `<path d="${trees} ${hill}"/>`,
      depth: 0.68,
      shadow: { drawing: `<path d="${trees} ${hill}"/>`, dx: 4, dy: 10, blur: 14, strength: 0.5 },
    };
  })(),
  {
    colour: lantern(1012, 486, 104, 7),
    shape: lanternShape(1012, 486, 104, 7, '#000'),
    depth: 0.8,
    shadow: { drawing: lanternShape(1030, 512, 104, 7, '#000'), blur: 16, strength: 0.3 },
    glow: { drawing: `<circle cx="1012" cy="500" r="96" fill="#ff9f4a"/>`, blur: 46, strength: 0.45 },
  },
  {
    colour: craneAt(350, 360, 1.02, -4, craneColour),
    shape: craneAt(350, 360, 1.02, -4, craneShape),
    depth: craneAt(350, 360, 1.02, -4, craneDepth),
    shadow: { drawing: craneAt(386, 412, 1.02, -4, craneShape), blur: 16, strength: 0.42 },
  },
  {
    colour: lantern(182, 696, 150, -8),
    shape: lanternShape(182, 696, 150, -8, '#000'),
    depth: 0.96,
    shadow: { drawing: lanternShape(214, 738, 150, -8, '#000'), blur: 20, strength: 0.32 },
    glow: { drawing: `<circle cx="182" cy="716" r="120" fill="#ff9f4a"/>`, blur: 54, strength: 0.42 },
  },
];

const page = (content, crisp = false) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * SCALE}" height="${HEIGHT * SCALE}" viewBox="0 0 ${WIDTH} ${HEIGHT}"${crisp ? ' shape-rendering="crispEdges"' : ''}><defs>${definitions}</defs>${content}</svg>`,
  );
const draw = async (content, crisp) => sharp(page(content, crisp)).ensureAlpha().raw().toBuffer();
const blurred = async (content, blur) =>
  sharp(page(content))
    .ensureAlpha()
    .blur(blur * SCALE)
    .raw()
    .toBuffer();

const pixels = WIDTH * SCALE * HEIGHT * SCALE;
const front = { colour: new Float32Array(pixels * 3), depth: new Uint8Array(pixels) };
const behind = { colour: new Float32Array(pixels * 3), depth: new Uint8Array(pixels) };

for (const { colour, shape, depth, shadow, glow, ground } of layers) {
  if (shadow) {
    const { drawing, dx = 0, dy = 0, blur, strength } = shadow;
    const fall = await blurred(`<g transform="translate(${dx} ${dy})" fill="#000">${drawing}</g>`, blur);
    for (let i = 0; i < pixels; i++) {
      const left = 1 - (fall[i * 4 + 3] / 255) * strength;
      for (let c = 0; c < 3; c++) front.colour[i * 3 + c] *= left;
    }
  }
  if (glow) {
    const light = await blurred(glow.drawing, glow.blur);
    for (let i = 0; i < pixels; i++) {
      const share = (light[i * 4 + 3] / 255) * glow.strength;
      for (let c = 0; c < 3; c++) {
        const now = front.colour[i * 3 + c];
        front.colour[i * 3 + c] = 255 - (255 - now) * (1 - (share * light[i * 4 + c]) / 255);
      }
    }
  }
  const seen = await draw(colour);
  const outline = await draw(shape, true);
  const levels = typeof depth === 'number' ? null : await draw(depth, true);
  for (let i = 0; i < pixels; i++) {
    if (outline[i * 4 + 3] > 127) {
      behind.depth[i] = front.depth[i];
      for (let c = 0; c < 3; c++) behind.colour[i * 3 + c] = front.colour[i * 3 + c];
      front.depth[i] = levels ? levels[i * 4] : Math.round(depth * 255);
    }
    const alpha = seen[i * 4 + 3] / 255;
    for (let c = 0; c < 3; c++) front.colour[i * 3 + c] += (seen[i * 4 + c] - front.colour[i * 3 + c]) * alpha;
    if (ground && outline[i * 4 + 3] > 127) {
      behind.depth[i] = front.depth[i];
      for (let c = 0; c < 3; c++) behind.colour[i * 3 + c] = front.colour[i * 3 + c];
    }
  }
}

/** Widest strip that a view can uncover, and the rim that the preview cuts away along a depth edge, in pixels. */
const UNCOVERED = 72 * SCALE;
const RIM = 16 * SCALE;
/** Depths that differ by less belong to one surface. */
const STEP = 6;

/**
 * The background layer is the picture itself, except on the near side of a depth edge, where it goes on with what is
 * behind. On the far side of another edge the picture stays, or its rim would show through what is cut away there.
 * Views move sideways only, so rows are enough for what is uncovered.
 */
const row = WIDTH * SCALE;

/** The nearest depth within `RIM` of each pixel, along one axis and then the other. */
function nearestWithinRim(depth, step) {
  const nearest = new Uint8Array(pixels);
  for (let i = 0; i < pixels; i++)
    for (let d = -RIM; d <= RIM; d += 2) nearest[i] = Math.max(nearest[i], depth[i + d * step] ?? 0);
  return nearest;
}
const around = nearestWithinRim(nearestWithinRim(front.depth, 1), row);
const farTo = (at) => around[at] - front.depth[at] > STEP;

const nearTo = (at) => {
  const x = at % row;
  for (let d = 1; d <= UNCOVERED; d += 2) {
    if (x >= d && front.depth[at] - front.depth[at - d] > STEP) return true;
    if (x + d < row && front.depth[at] - front.depth[at + d] > STEP) return true;
  }
  return false;
};
for (let i = 0; i < pixels; i++) {
  if (nearTo(i) && !farTo(i)) continue;
  behind.depth[i] = front.depth[i];
  for (let c = 0; c < 3; c++) behind.colour[i * 3 + c] = front.colour[i * 3 + c];
}

const size = { width: WIDTH * SCALE, height: HEIGHT * SCALE };
const writeColour = (colour, name, quality) =>
  sharp(Buffer.from(Uint8ClampedArray.from(colour)), { raw: { ...size, channels: 3 } })
    .resize(WIDTH, HEIGHT, { kernel: 'mitchell' })
    .webp({ quality, effort: 6 })
    .toFile(`${OUT}${name}`);
// Depth must not be averaged across an edge: a value between two surfaces is a place where nothing is.
const writeDepth = (depth, name) =>
  sharp(Buffer.from(depth), { raw: { ...size, channels: 1 } })
    .resize(WIDTH / 2, HEIGHT / 2, { kernel: 'nearest' })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toFile(`${OUT}${name}`);

mkdirSync(OUT, { recursive: true });
await Promise.all([
  writeColour(front.colour, 'colour.webp', 84),
  writeColour(behind.colour, 'background.webp', 70),
  writeDepth(front.depth, 'depth.png'),
  writeDepth(behind.depth, 'background-depth.png'),
]);
for (const name of ['colour.webp', 'background.webp', 'depth.png', 'background-depth.png'])
  console.log(name, statSync(`${OUT}${name}`).size);
