import type { SceneName } from './scenes.ts';

/** For months, in minor units. */
interface Price {
  readonly period: number;
  readonly usd: number;
  readonly twd: number;
}

/** A product of the samples. Its texts are `seeds:products.<name>`. */
interface SampleProduct {
  readonly name: 'evening' | 'lanterns' | 'mountains' | 'sea' | 'forest';
  readonly scenes: readonly SceneName[];
  /** None for a free one. */
  readonly prices: readonly Price[];
}

/** A store of the samples. Its name is `seeds:stores.<name>`. */
export interface SampleStore {
  readonly name: 'paperMoon' | 'tideAndLeaf';
  readonly icon: SceneName;
  readonly products: readonly SampleProduct[];
}

const SMALL: readonly Price[] = [
  { period: 1, usd: 199, twd: 60_00 },
  { period: 12, usd: 1200, twd: 360_00 },
];
const LARGE: readonly Price[] = [
  { period: 1, usd: 299, twd: 90_00 },
  { period: 6, usd: 1200, twd: 360_00 },
  { period: 12, usd: 1999, twd: 600_00 },
];

export const SAMPLES: readonly SampleStore[] = [
  {
    name: 'paperMoon',
    icon: 'lanterns-night',
    products: [
      { name: 'evening', scenes: ['village-dusk', 'village-night', 'village-autumn'], prices: [] },
      { name: 'lanterns', scenes: ['lanterns-dusk', 'lanterns-night', 'lanterns-autumn'], prices: LARGE },
      { name: 'mountains', scenes: ['mountains-dawn', 'mountains-day', 'mountains-night'], prices: SMALL },
    ],
  },
  {
    name: 'tideAndLeaf',
    icon: 'sea-day',
    products: [
      { name: 'sea', scenes: ['sea-day', 'sea-dawn', 'sea-night'], prices: SMALL },
      { name: 'forest', scenes: ['forest-summer', 'forest-autumn', 'forest-winter'], prices: LARGE },
    ],
  },
];
