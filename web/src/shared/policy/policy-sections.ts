import { LIMITS } from '@framelift/contract';
import type { Texts } from '@framelift/texts';

type Sections<D extends 'privacy' | 'terms'> = Texts['policy'][D]['sections'];
type Terms = Sections<'terms'>;
/** Sections of the terms with their sentences, in reading order. */
export const TERMS: { readonly [S in keyof Terms]: readonly Exclude<keyof Terms[S], 'title'>[] } = {
  membership: ['age', 'personal', 'abuse'],
  payment: ['renewal', 'refund', 'suspended'],
  live: ['region', 'speed'],
  content: ['rights', 'allowed'],
  disclaimer: ['depth', 'comfort', 'copies'],
  service: ['hours'],
};
export const PRIVACY: readonly (keyof Sections<'privacy'>)[] = [
  'account',
  'pictures',
  'cookies',
  'purchases',
  'watching',
  'others',
  'rights',
];

export type PolicyName = 'privacy' | 'terms';
export const sectionsOf = (name: PolicyName): readonly string[] => (name === 'terms' ? Object.keys(TERMS) : PRIVACY);

/** Numbers used in the texts. */
export const POLICY_NUMBERS = {
  guestDays: LIMITS.guest.days,
  cookieDays: LIMITS.sessionDays,
  graceDays: LIMITS.account.graceDays,
  age: LIMITS.minimumAge,
  min: LIMITS.stream.minMbps,
  recommended: LIMITS.stream.recommendedMbps,
};
