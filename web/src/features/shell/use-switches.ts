import type { Feature, FeatureState } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { pageKey } from './transition.ts';

interface Switches {
  /** An unknown state counts as on; otherwise the navigation would appear late. */
  readonly stateOf: (feature: Feature) => FeatureState;
  /** Features in development can be opened. */
  readonly isDev: boolean;
  /** Maintenance blocks the app for this user; administrators are exempt. */
  readonly isShut: boolean;
}

/** Returns the feature switches as needed by the navigation. */
export function useSwitches(): Switches {
  const { data } = useQuery(configQuery);
  const session = useSession();
  const page = pageKey(useLocation().pathname);
  const isAdmin = session.kind === 'member' && session.user.isAdmin;
  return {
    stateOf: (feature) => data?.features[feature] ?? 'on',
    isDev: data?.environment === 'dev',
    // Assumed on the maintenance page until the configuration arrives: removing the header later would shift the page.
    isShut: (data?.isMaintenance ?? page === '/maintenance') && !isAdmin,
  };
}

/** Shows that a feature is not available yet. */
export const tellNotReady = (): void => {
  void import('../../shared/feature-alert.ts').then(({ showFeatureAlert }) => showFeatureAlert());
};
