/** Size of a drawing in its own units, in which all shapes are written. */
export const WIDTH = 900;
export const HEIGHT = 1200;

/** One sheet of paper: a shape at a depth, and what is drawn on it. */
export interface Sheet {
  /** Path data of its parts, which become one outline. */
  readonly shape: readonly string[];
  /** A colour, or `top→bottom` of a gradient. */
  readonly fill: string;
  /** 0 farthest … 1 nearest. Two for a sheet that lies: at its upper and at its lower edge. */
  readonly depth: number | readonly [number, number];
  /** Upper and lower edge, for gradients. */
  readonly span?: readonly [number, number];
  /** Drawn on the sheet. */
  readonly decor?: string;
  /** Light behind it, which has no depth. */
  readonly glow?: string;
  /** Whether it throws no shadow, as what is far away or shines. */
  readonly flat?: boolean;
}

export interface Drawing {
  /** SVG in colour. */
  readonly colour: string;
  /** SVG of the depth, white near. */
  readonly depth: string;
}

const GLOWS = `
  <radialGradient id="halo"><stop offset=".3" stop-color="#ffe9c4" stop-opacity=".55"/><stop offset="1" stop-color="#ffe9c4" stop-opacity="0"/></radialGradient>
  <radialGradient id="glow"><stop offset="0" stop-color="#ffb35c" stop-opacity=".85"/><stop offset=".5" stop-color="#ffa04a" stop-opacity=".3"/><stop offset="1" stop-color="#ff9f4a" stop-opacity="0"/></radialGradient>
  <radialGradient id="lantern" cx=".5" cy=".78" r=".8"><stop offset="0" stop-color="#fff3c4"/><stop offset=".45" stop-color="#ffb65f"/><stop offset="1" stop-color="#e2573d"/></radialGradient>`;
/** Widths of the strokes that make a shadow. */
const SHADOW = [46, 38, 31, 25, 19, 14, 9, 5] as const;

/** Lays sheets upon each other, the farthest first. The same sheets are always the same drawing. */
export function lay(sheets: readonly Sheet[]): Drawing {
  const gradients: string[] = [GLOWS];
  const paint = (sheet: Sheet, index: number): string => {
    const [top, bottom] = sheet.fill.split('→');
    if (bottom === undefined) return sheet.fill;
    const [y1, y2] = sheet.span ?? [0, HEIGHT];
    gradients.push(
      `<linearGradient id="fill-${index}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${y1}" y2="${y2}"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`,
    );
    return `url(#fill-${index})`;
  };
  const drawn = sheets.map((sheet, index) => {
    const { shape, decor = '', glow = '', flat = false } = sheet;
    const fill = paint(sheet, index);
    const paths = (attributes: string) => shape.map((data) => `<path d="${data}" ${attributes}/>`).join('');
    // Soft without a blur, which takes seconds at the size of a panel.
    const shadow = flat
      ? ''
      : `<g transform="translate(0 -5)" stroke="#0a0f1e" fill="none" stroke-opacity=".034" stroke-linejoin="round">${SHADOW.map((width) => paths(`stroke-width="${width}"`)).join('')}</g>`;
    // The light edge of the paper lies beneath the parts, so that it follows their common outline.
    const edge = flat ? '' : paths('fill="none" stroke="#fff" stroke-opacity=".2" stroke-width="3"');
    return `${glow}${shadow}${edge}${paths(`fill="${fill}"`)}${decor}`;
  });
  const colour = svg(`<defs>${gradients.join('')}</defs>${drawn.join('')}`);

  const slopes: string[] = [];
  const greys = sheets.map(({ shape, depth, span: [y1, y2] = [0, HEIGHT] }, index) => {
    const paths = (fill: string) => shape.map((data) => `<path d="${data}" fill="${fill}"/>`).join('');
    if (typeof depth === 'number') return paths(grey(depth));
    slopes.push(
      `<linearGradient id="slope-${index}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${y1}" y2="${y2}"><stop offset="0" stop-color="${grey(depth[0])}"/><stop offset="1" stop-color="${grey(depth[1])}"/></linearGradient>`,
    );
    return paths(`url(#slope-${index})`);
  });
  return { colour, depth: svg(`<defs>${slopes.join('')}</defs>${greys.join('')}`) };
}

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${content}</svg>`;

function grey(depth: number): string {
  const level = Math.round(255 * depth);
  return `rgb(${level},${level},${level})`;
}

/** Returns numbers of 0 … 1 that look random and are the same for the same seed. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Shapes reach beyond the edges, so that no view shows what lies behind them. */
const MARGIN = 60;
const n = (value: number): string => value.toFixed(1);

export const everything = `M${-MARGIN} ${-MARGIN} H${WIDTH + MARGIN} V${HEIGHT + MARGIN} H${-MARGIN} Z`;

export const disc = (x: number, y: number, r: number): string =>
  `M${n(x - r)} ${n(y)} a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0 a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0 Z`;

/** Land from side to side below a line of hills. @param sharp 0 round hills … 1 jagged mountains */
export function ridge(random: () => number, y: number, height: number, steps: number, sharp: number): string {
  const width = (WIDTH + 2 * MARGIN) / steps;
  let path = '';
  let from: readonly [number, number] | null = null;
  for (let step = 0; step <= steps; step++) {
    const peak = step % 2 === 0 ? 0.35 : -0.65;
    const to = [-MARGIN + step * width, y + height * (peak + 0.7 * (random() - 0.5))] as const;
    if (!from) path = `M${n(to[0])} ${n(to[1])}`;
    else {
      const bend = ((to[0] - from[0]) / 2) * (1 - sharp);
      path += ` C${n(from[0] + bend)} ${n(from[1])} ${n(to[0] - bend)} ${n(to[1])} ${n(to[0])} ${n(to[1])}`;
    }
    from = to;
  }
  return `${path} V${HEIGHT + MARGIN} H${-MARGIN} Z`;
}

/** The sea from side to side below a row of round crests. */
export function waves(random: () => number, y: number, crest: number, size: number): string {
  let x = -MARGIN - random() * size;
  let path = `M${n(x)} ${n(y)}`;
  while (x < WIDTH + MARGIN) {
    const width = size * (0.8 + 0.4 * random());
    path += ` q${n(width * 0.3)} ${n(-crest)} ${n(width * 0.62)} ${n(-crest * 0.55)} q${n(width * 0.16)} ${n(crest * 0.4)} ${n(width * 0.38)} ${n(crest * 0.55)}`;
    x += width;
  }
  return `${path} V${HEIGHT + MARGIN} H${-2 * MARGIN} Z`;
}

/** A fir with its foot at (x, y). */
export function fir(x: number, y: number, size: number): string[] {
  const tiers = [0, 1, 2, 3].map((tier) => {
    const half = size * (0.1 + tier * 0.055);
    return `M${n(x)} ${n(y - size * (1 - tier * 0.2))} l${n(half)} ${n(size * 0.34)} h${n(-2 * half)} Z`;
  });
  return [
    ...tiers,
    `M${n(x - size * 0.025)} ${n(y - size * 0.1)} h${n(size * 0.05)} v${n(size * 0.14)} h${n(-size * 0.05)} Z`,
  ];
}

/** A trunk from the ground at `y` to the top, with branches. */
export function trunk(random: () => number, x: number, y: number, size: number): string[] {
  const parts = [
    `M${n(x - size)} ${n(y)} Q${n(x - size * 0.6)} ${n(y - 40)} ${n(x - size * 0.5)} ${-MARGIN} H${n(x + size * 0.5)} Q${n(x + size * 0.6)} ${n(y - 40)} ${n(x + size)} ${n(y)} Z`,
  ];
  for (let branch = 0; branch < 4; branch++) {
    const side = branch % 2 === 0 ? 1 : -1;
    const at = 90 + random() * 420;
    const reach = side * size * (2.4 + 2 * random());
    parts.push(
      `M${n(x)} ${n(at)} Q${n(x + reach * 0.5)} ${n(at - 20)} ${n(x + reach)} ${n(at - 70 - 40 * random())} Q${n(x + reach * 0.55)} ${n(at)} ${n(x)} ${n(at + size * 0.7)} Z`,
    );
  }
  return parts;
}

/** A leaf with its stalk at (x, y), turned by degrees. */
export function leaf(x: number, y: number, size: number, degrees: number): string {
  const turn = (degrees * Math.PI) / 180;
  const at = (along: number, across: number) =>
    `${n(x + size * (along * Math.cos(turn) - across * Math.sin(turn)))} ${n(y + size * (along * Math.sin(turn) + across * Math.cos(turn)))}`;
  return `M${at(0, 0)} Q${at(0.5, -0.42)} ${at(1, 0)} Q${at(0.5, 0.42)} ${at(0, 0)} Z`;
}

/** A cloud with a flat base. */
export function cloud(x: number, y: number, size: number): string {
  return `M${n(x - size)} ${n(y)} q${n(size * 0.05)} ${n(-size * 0.32)} ${n(size * 0.45)} ${n(-size * 0.3)} q${n(size * 0.22)} ${n(-size * 0.42)} ${n(size * 0.68)} ${n(-size * 0.12)} q${n(size * 0.5)} ${n(-size * 0.12)} ${n(size * 0.8)} ${n(size * 0.42)} Z`;
}

/** A bird that glides, its wings spread by `size` to both sides. */
export const bird = (x: number, y: number, size: number): string =>
  `M${n(x - size)} ${n(y - size * 0.22)} Q${n(x - size * 0.4)} ${n(y - size * 0.42)} ${n(x)} ${n(y)} Q${n(x + size * 0.4)} ${n(y - size * 0.42)} ${n(x + size)} ${n(y - size * 0.22)} Q${n(x + size * 0.42)} ${n(y - size * 0.18)} ${n(x)} ${n(y + size * 0.16)} Q${n(x - size * 0.42)} ${n(y - size * 0.18)} ${n(x - size)} ${n(y - size * 0.22)} Z`;

/** A house with its foot at (x, y). */
export const house = (x: number, y: number, width: number, height: number): string =>
  `M${n(x - width / 2)} ${n(y)} v${n(-height)} h${n(-width * 0.12)} l${n(width * 0.62)} ${n(-width * 0.5)} l${n(width * 0.62)} ${n(width * 0.5)} h${n(-width * 0.12)} v${n(height)} Z`;

export const star = (x: number, y: number, r: number): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="#fff" fill-opacity=".8"/>`;

/** A lantern of paper in the air, `size` high, with its light. */
export function lantern(x: number, y: number, size: number, depth: number): Sheet {
  const s = size / 100;
  const at = (dx: number, dy: number) => `${n(x + dx * s)} ${n(y + dy * s)}`;
  const body = `M${at(-36, -50)} Q${at(0, -64)} ${at(36, -50)} L${at(28, 46)} Q${at(0, 58)} ${at(-28, 46)} Z`;
  const rim = `M${at(-28, 46)} Q${at(0, 58)} ${at(28, 46)} L${at(26, 53)} Q${at(0, 64)} ${at(-26, 53)} Z`;
  return {
    shape: [body, rim],
    fill: 'url(#lantern)',
    depth,
    flat: true,
    glow: `<circle cx="${n(x)}" cy="${n(y + 12 * s)}" r="${n(size * 1.6)}" fill="url(#glow)" opacity=".55"/>`,
    decor: `<path d="M${at(-13, -56)} L${at(-9, 50)} M${at(13, -56)} L${at(9, 50)}" stroke="#c9482f" stroke-opacity=".35" stroke-width="${n(2.4 * s)}" fill="none"/><path d="${rim}" fill="#8e3424"/>`,
  };
}

/** A boat folded of paper, its keel at (x, y). */
export function boat(x: number, y: number, size: number, depth: number): Sheet {
  const s = size / 100;
  const at = (dx: number, dy: number) => `${n(x + dx * s)} ${n(y + dy * s)}`;
  return {
    shape: [
      `M${at(-100, -52)} L${at(-40, -38)} L${at(0, -112)} L${at(40, -38)} L${at(100, -52)} L${at(62, 8)} H${n(x - 62 * s)} Z`,
    ],
    fill: '#fdf6e8',
    depth,
    decor: `<path d="M${at(0, -112)} L${at(40, -38)} L${at(0, -22)} Z" fill="#e3d6bd"/><path d="M${at(-100, -52)} L${at(0, -22)} L${at(100, -52)} L${at(62, 8)} H${n(x - 62 * s)} Z" fill="#f3e8d2"/><path d="M${at(0, -22)} L${at(100, -52)} L${at(62, 8)} H${n(x)} Z" fill="#dfd1b6"/>`,
  };
}
