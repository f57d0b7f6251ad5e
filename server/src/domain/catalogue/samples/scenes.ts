import {
  bird,
  boat,
  chance,
  cloud,
  type Drawing,
  disc,
  everything,
  fir,
  house,
  lantern,
  lay,
  leaf,
  ridge,
  type Sheet,
  star,
  trunk,
  WIDTH,
  waves,
} from './paper.ts';

/** Returns a colour between two, written `#rrggbb`. */
function between(from: string, to: string, share: number): string {
  const part = (colour: string, index: number) => Number.parseInt(colour.slice(1 + 2 * index, 3 + 2 * index), 16);
  const mixed = [0, 1, 2].map((index) =>
    Math.round(part(from, index) + (part(to, index) - part(from, index)) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`;
}

interface Light {
  /** `top→bottom` of the sky. */
  readonly sky: string;
  /** Of the farthest and of the nearest land. */
  readonly land: readonly [string, string];
  /** Place, size and colour of sun or moon. */
  readonly disc: readonly [number, number, number, string];
  readonly stars: boolean;
}

const DUSK: Light = {
  sky: '#12264a→#f0a483',
  land: ['#c98a86', '#231f3f'],
  disc: [640, 330, 84, '#fff0cf'],
  stars: true,
};
const NIGHT: Light = {
  sky: '#0a1330→#3d5f92',
  land: ['#5a76a8', '#0e1530'],
  disc: [250, 280, 70, '#f4f1e4'],
  stars: true,
};
const DAWN: Light = {
  sky: '#7fa8cf→#ffe3bd',
  land: ['#e9c3b4', '#37506b'],
  disc: [470, 470, 92, '#fff6de'],
  stars: false,
};
const DAY: Light = {
  sky: '#5aa4d6→#e4f3f4',
  land: ['#b9d7dc', '#1f5a63'],
  disc: [690, 240, 74, '#fffbe8'],
  stars: false,
};
const AUTUMN: Light = {
  sky: '#e8a15c→#fdeccb',
  land: ['#e7b98c', '#5c2a23'],
  disc: [330, 360, 88, '#fff7dd'],
  stars: false,
};

function sky(random: () => number, { sky: fill, disc: [x, y, r, colour], stars }: Light): Sheet[] {
  const lights = stars
    ? Array.from({ length: 46 }, () => star(random() * WIDTH, random() * 520, 1 + 1.8 * random())).join('')
    : '';
  return [
    { shape: [everything], fill, span: [0, 900], depth: 0, decor: lights, flat: true },
    {
      shape: [disc(x, y, r)],
      fill: colour,
      depth: 0.04,
      flat: true,
      glow: `<circle cx="${x}" cy="${y}" r="${r * 2.3}" fill="url(#halo)"/>`,
    },
  ];
}

/** Ridges one behind the other, with what stands on each. */
function land(
  random: () => number,
  { land: [far, near] }: Light,
  options: { from: number; to: number; count: number; sharp: number; depth: readonly [number, number]; firs: boolean },
): Sheet[] {
  const { from, to, count, sharp, depth, firs } = options;
  return Array.from({ length: count }, (_, index) => {
    const share = index / (count - 1);
    const y = from + (to - from) * share;
    const fill = between(far, near, share);
    const trees = firs && share > 0.4 ? Math.round(3 + 5 * random()) : 0;
    const size = 60 + 170 * share * share;
    const shape = [
      ridge(random, y, 150 - 60 * share, 6 + 2 * Math.round(random() * 2), sharp * (1 - share * 0.7)),
      ...Array.from({ length: trees }, () =>
        fir(random() * WIDTH, y + 60 + 30 * random(), size * (0.7 + 0.5 * random())),
      ).flat(),
    ];
    return {
      shape,
      // Mist lies at the foot of each.
      fill: `${fill}→${between(fill, far, 0.55 * (1 - share))}`,
      span: [y - 60, y + 230],
      depth: depth[0] + (depth[1] - depth[0]) * share,
    };
  });
}

/** Evenings on which lanterns rise. */
function lanterns(seed: number, light: Light): Drawing {
  const random = chance(seed);
  const hills = land(random, light, { from: 640, to: 1010, count: 5, sharp: 0.2, depth: [0.12, 0.46], firs: true });
  const flying = Array.from({ length: 15 }, (_, index) => {
    const near = index / 14;
    const x = ((index * 0.382 + 0.3 * random()) % 1) * (WIDTH - 120) + 60;
    return lantern(x, 130 + (index % 5) * 150 + 90 * random(), 26 + 120 * near ** 2.2, 0.16 + 0.76 * near);
  });
  const behind = flying.filter(({ depth }) => (depth as number) < 0.44);
  const before = flying.filter(({ depth }) => (depth as number) >= 0.44);
  const ground: Sheet = {
    shape: [ridge(random, 1120, 40, 6, 0), ...fir(90, 1160, 330), ...fir(840, 1170, 400), ...fir(720, 1175, 240)],
    fill: between(light.land[1], '#000000', 0.3),
    depth: 0.66,
  };
  return lay([...sky(random, light), ...hills.slice(0, 3), ...behind, ...hills.slice(3), ground, ...before]);
}

/** Mountains in the mist. */
function mountains(seed: number, light: Light): Drawing {
  const random = chance(seed);
  const ranges = land(random, light, { from: 470, to: 1090, count: 8, sharp: 1, depth: [0.08, 0.86], firs: true });
  const birds: Sheet = {
    shape: [0, 1, 2, 3, 4].map((index) => bird(240 + 62 * index, 380 - 36 * (index % 3), 22 + 4 * index)),
    fill: between(light.land[1], '#ffffff', 0.1),
    depth: 0.5,
    flat: true,
  };
  const clouds: Sheet[] = [
    { shape: [cloud(170, 300, 110), cloud(760, 420, 130)], fill: '#ffffff', depth: 0.07 },
    { shape: [cloud(640, 640, 180), cloud(60, 720, 150)], fill: '#fdf7ee', depth: 0.34 },
  ];
  return lay([
    ...sky(random, light),
    ...(light.stars ? [] : clouds.slice(0, 1)),
    ...ranges.slice(0, 4),
    ...(light.stars ? [] : clouds.slice(1)),
    ...ranges.slice(4, 6),
    birds,
    ...ranges.slice(6),
  ]);
}

/** A sea of paper with a boat on it. */
function sea(seed: number, light: Light, water: readonly [string, string]): Drawing {
  const random = chance(seed);
  const rows = Array.from({ length: 9 }, (_, index): Sheet => {
    const share = index / 8;
    const y = 560 + 590 * share ** 1.15;
    return {
      shape: [waves(random, y, 14 + 58 * share, 70 + 210 * share)],
      fill: `${between(water[0], water[1], share)}→${between(between(water[0], water[1], share), '#06182c', 0.25)}`,
      span: [y - 60, y + 260],
      depth: [0.1 + 0.74 * share, 0.16 + 0.74 * share],
    };
  });
  const far: Sheet = {
    shape: [ridge(random, 560, 70, 8, 0.4)],
    fill: between(light.land[0], water[0], 0.5),
    depth: 0.07,
  };
  const clouds: Sheet[] = [
    { shape: [cloud(210, 230, 120), cloud(720, 390, 90)], fill: '#ffffff', depth: 0.1 },
    { shape: [cloud(600, 170, 150)], fill: '#fffaf2', depth: 0.3 },
  ];
  const gulls: Sheet = {
    shape: [bird(260, 470, 40), bird(360, 420, 28), bird(700, 330, 62)],
    fill: '#ffffff',
    depth: 0.62,
  };
  return lay([
    ...sky(random, light),
    ...(light.stars ? [] : clouds),
    far,
    ...rows.slice(0, 5),
    boat(430 + 60 * (random() - 0.5), 868, 190, 0.56),
    ...rows.slice(5),
    gulls,
  ]);
}

/** A walk in the forest, leaves in the air. */
function forest(seed: number, light: Light, leaves: readonly string[]): Drawing {
  const random = chance(seed);
  const [far, near] = light.land;
  const sheets: Sheet[] = [];
  for (let row = 0; row < 5; row++) {
    const share = row / 4;
    const fill = between(far, near, share);
    const y = 800 + 300 * share;
    const depth = 0.1 + 0.66 * share;
    // The middle stays open: there the path goes on.
    const places = Array.from({ length: 6 - row }, (_, index) => {
      const x = ((index + 0.5 + 0.5 * (random() - 0.5)) / (6 - row)) * WIDTH;
      return x + (x < WIDTH / 2 ? -1 : 1) * 110 * share;
    });
    sheets.push({
      shape: [
        ...places.flatMap((x) => trunk(random, x, y + 130, 12 + 40 * share * share)),
        ridge(random, y + 40, 50, 6, 0),
      ],
      fill: `${fill}→${between(fill, far, 0.4 * (1 - share))}`,
      span: [200, y + 200],
      depth,
    });
    const falling = Array.from({ length: 9 }, () =>
      leaf(random() * WIDTH, 80 + random() * 900, 14 + 44 * share, 360 * random()),
    );
    sheets.push({
      shape: falling,
      fill: leaves[row % leaves.length] ?? near,
      depth: depth + 0.1,
      flat: share < 0.5,
    });
  }
  return lay([...sky(random, light), ...sheets]);
}

/** A village in the evening, its windows lit. */
function village(seed: number, light: Light): Drawing {
  const random = chance(seed);
  const hills = land(random, light, { from: 560, to: 820, count: 3, sharp: 0.3, depth: [0.1, 0.26], firs: false });
  const rows = [0, 1, 2].map((row): Sheet => {
    const share = row / 2;
    const y = 900 + 120 * row;
    const width = 90 + 70 * share;
    const places = Array.from(
      { length: 6 - row },
      (_, index) => (index + 0.2 + 0.5 * random()) * (WIDTH / (5.4 - row)),
    );
    const windows = places.flatMap((x) =>
      [-0.2, 0.2].map((side) => {
        const lit = random() < 0.72;
        const [w, h] = [width * 0.18, width * 0.24];
        return `<rect x="${(x + side * width - w / 2).toFixed(1)}" y="${(y - width * 0.72).toFixed(1)}" width="${w.toFixed(1)}" height="${h.toFixed(1)}" rx="3" fill="${lit ? '#ffd789' : between(light.land[1], '#ffffff', 0.12)}"/>`;
      }),
    );
    return {
      shape: [...places.map((x) => house(x, y + 30, width, width * 1.05)), ridge(random, y + 20, 26, 6, 0)],
      fill: between(light.land[0], light.land[1], 0.55 + 0.22 * row),
      depth: 0.36 + 0.2 * row,
      decor: windows.join(''),
    };
  });
  const near: Sheet = {
    shape: [ridge(random, 1150, 30, 6, 0), ...fir(70, 1190, 460), ...fir(850, 1195, 380)],
    fill: between(light.land[1], '#000000', 0.35),
    depth: 0.9,
  };
  const hung = [lantern(180, 250, 120, 0.84), lantern(730, 180, 86, 0.62), lantern(540, 400, 48, 0.3)];
  return lay([
    ...sky(random, light),
    ...hills,
    ...hung.slice(2),
    ...rows,
    ...hung.slice(1, 2),
    near,
    ...hung.slice(0, 1),
  ]);
}

const GREENS = ['#9cc9a0', '#7fb27f', '#c9d77a', '#5f9a6a', '#e3e39a'] as const;
const REDS = ['#f2c46b', '#e58e4a', '#d9603f', '#f0a85a', '#b83a32'] as const;
const BLUES = ['#cfe0ff', '#9fbce8', '#7f9fd6', '#dfe9ff', '#b5caf2'] as const;

/** Every drawing, by its name. The same name is always the same drawing. */
export const SCENES = {
  'lanterns-dusk': () => lanterns(11, DUSK),
  'lanterns-night': () => lanterns(23, NIGHT),
  'lanterns-autumn': () => lanterns(35, { ...AUTUMN, sky: '#3a2450→#f2a25e', stars: true }),
  'mountains-dawn': () => mountains(4, DAWN),
  'mountains-day': () => mountains(9, DAY),
  'mountains-night': () => mountains(16, NIGHT),
  'sea-day': () => sea(5, DAY, ['#9fd3dc', '#12506e']),
  'sea-dawn': () => sea(8, DAWN, ['#f2c9b0', '#2f5f7c']),
  'sea-night': () => sea(13, NIGHT, ['#6f93c4', '#0c2244']),
  'forest-summer': () => forest(6, { ...DAY, sky: '#bfe3c4→#f6f7d8', land: ['#b7d6ae', '#173d2c'] }, GREENS),
  'forest-autumn': () => forest(14, AUTUMN, REDS),
  'forest-winter': () => forest(21, { ...NIGHT, sky: '#26406e→#b9cdea', land: ['#8fa9d0', '#101b3a'] }, BLUES),
  'village-dusk': () => village(7, DUSK),
  'village-night': () => village(12, NIGHT),
  'village-autumn': () => village(19, { ...AUTUMN, sky: '#5a2f52→#f7b06a', stars: true }),
} as const satisfies Record<string, () => Drawing>;
export type SceneName = keyof typeof SCENES;
