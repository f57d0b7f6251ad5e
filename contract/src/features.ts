import { z } from 'zod';

/** Parts of the product that an operator may switch; each lists its state in both presets. */
export const FEATURE_STATES = ['on', 'in_development', 'off'] as const;
export type FeatureState = (typeof FEATURE_STATES)[number];

const on = 'on';
const dev = 'in_development';

/**
 * `full` is our product; what is not built yet is `in_development` there until it is, so that no navigation promises it.
 * `literal` reproduces the observed one: only home and menu of the footer are ready, the
 * disabled menu entries stay disabled, and the announcement is never displayed.
 */
export const FEATURES = {
  home: { full: on, literal: on },
  album: { full: on, literal: dev },
  convert2to3: { full: on, literal: dev },
  store: { full: dev, literal: dev },
  menu: { full: on, literal: on },
  orderMenu: { full: on, literal: dev },
  qa: { full: on, literal: dev },
  tutorial: { full: on, literal: dev },
  frameSetting: { full: on, literal: dev },
  enterSerial: { full: on, literal: dev },
  addFriend: { full: dev, literal: dev },
  calendarArrows: { full: dev, literal: 'off' },
  announcement: { full: on, literal: 'off' },
} as const satisfies Record<string, { full: FeatureState; literal: FeatureState }>;

export type Feature = keyof typeof FEATURES;
export type FeatureSwitches = Record<Feature, FeatureState>;
export type FeaturePreset = 'full' | 'literal';

/** The switches of one preset, as a fresh object. */
export function featurePreset(preset: FeaturePreset): FeatureSwitches {
  return Object.fromEntries(
    Object.entries(FEATURES).map(([name, states]) => [name, states[preset]]),
  ) as FeatureSwitches;
}

export const featureSwitches = z.strictObject(
  Object.fromEntries(Object.keys(FEATURES).map((name) => [name, z.enum(FEATURE_STATES)])) as Record<
    Feature,
    z.ZodEnum<{ on: 'on'; in_development: 'in_development'; off: 'off' }>
  >,
);
