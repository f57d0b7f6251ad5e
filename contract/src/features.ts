import { z } from 'zod';
import { FEATURE_STATES, FEATURES, type Feature, type FeatureSwitches } from './feature-presets.ts';
import type { AcceptedTypes } from './file-types.ts';

/** Returns which file types may be uploaded. */
export function acceptedTypes({ moreFileTypes }: Pick<FeatureSwitches, 'moreFileTypes'>): AcceptedTypes {
  return moreFileTypes === 'on' ? 'all' : 'literal';
}

export const featureSwitches = z.strictObject(
  Object.fromEntries(Object.keys(FEATURES).map((name) => [name, z.enum(FEATURE_STATES)])) as Record<
    Feature,
    z.ZodEnum<{ on: 'on'; in_development: 'in_development'; off: 'off' }>
  >,
);
