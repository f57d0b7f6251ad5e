/** Features that an operator can switch, with their state in both presets. */
export const FEATURE_STATES = ['on', 'in_development', 'off'] as const;
export type FeatureState = (typeof FEATURE_STATES)[number];

const on = 'on';
const dev = 'in_development';

/**
 * `full` is the complete product.
 * `literal` reproduces the observed product: in the footer only home and menu are ready, the disabled menu entries stay
 * disabled, and the announcement is never displayed.
 */
export const FEATURES = {
  home: { full: on, literal: on },
  album: { full: on, literal: dev },
  convert2to3: { full: on, literal: dev },
  /** Whether members can buy; refused by the server otherwise. What was begun before, renewals and refunds go on. */
  store: { full: on, literal: dev },
  menu: { full: on, literal: on },
  orderMenu: { full: on, literal: dev },
  qa: { full: on, literal: dev },
  tutorial: { full: on, literal: dev },
  frameSetting: { full: on, literal: dev },
  enterSerial: { full: on, literal: dev },
  addFriend: { full: on, literal: dev },
  calendarArrows: { full: on, literal: 'off' },
  announcement: { full: on, literal: 'off' },
  /** Whether accounts can be registered; refused by the server otherwise, as the four that follow. */
  signUp: { full: on, literal: on },
  /** Whether guests can begin; those who have begun go on. */
  guests: { full: on, literal: on },
  /** Whether public links can be made; those that there are stay. */
  shares: { full: on, literal: on },
  /** Whether broadcasts can be watched; one that is watched stops. */
  live: { full: on, literal: on },
  /** Whether members can send pictures to frames of friends; those that are there stay. */
  friendPictures: { full: on, literal: on },
  /** File types beyond those of the specification: what people's phones and cameras write. */
  moreFileTypes: { full: on, literal: 'off' },
} as const satisfies Record<string, { full: FeatureState; literal: FeatureState }>;

export type Feature = keyof typeof FEATURES;
export type FeatureSwitches = Record<Feature, FeatureState>;
export type FeaturePreset = 'full' | 'literal';

/** Returns a new object with the switches of one preset. */
export function featurePreset(preset: FeaturePreset): FeatureSwitches {
  return Object.fromEntries(
    Object.entries(FEATURES).map(([name, states]) => [name, states[preset]]),
  ) as FeatureSwitches;
}

/** Returns whether the switches are exactly those of the preset `literal`. */
export function isLiteral(features: FeatureSwitches): boolean {
  return Object.entries(featurePreset('literal')).every(([name, state]) => features[name as Feature] === state);
}
