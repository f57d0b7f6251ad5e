import type { Feature, FeatureState } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { pageKey } from './transition.ts';

interface Switches {
  /** A state that is not known yet counts as on; otherwise the navigation would appear late. */
  readonly stateOf: (feature: Feature) => FeatureState;
  /** Features in development can be opened. */
  readonly isDev: boolean;
  /** The app is closed by maintenance, from which administrators are exempt. */
  readonly isShut: boolean;
}

/** The feature switches as far as the navigation needs them. */
export function useSwitches(): Switches {
  const { data } = useQuery(configQuery);
  const session = useSession();
  const page = pageKey(useLocation().pathname);
  const isAdmin = session.kind === 'member' && session.user.isAdmin;
  return {
    stateOf: (feature) => data?.features[feature] ?? 'on',
    isDev: data?.environment === 'dev',
    // On the page that says so, before it is known: a header that goes again would pull the page up.
    isShut: (data?.isMaintenance ?? page === '/maintenance') && !isAdmin,
  };
}

/** Says that a feature is not available yet. */
export const tellNotReady = (): void => {
  void import('../../shared/feature-alert.ts').then(({ showFeatureAlert }) => showFeatureAlert());
};
