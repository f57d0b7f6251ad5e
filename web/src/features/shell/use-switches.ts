import type { Feature, FeatureState } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { pageKey } from './transition.ts';

interface Switches {
  /** What is not known yet counts as ready: the other way round, navigation would fade in. */
  readonly stateOf: (feature: Feature) => FeatureState;
  /** What is not ready can be opened all the same. */
  readonly isDev: boolean;
  /** Maintenance shuts the app for everybody but administrators. */
  readonly isShut: boolean;
}

/** What the configuration says about the navigation. */
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

/** Says that something is not ready yet. The sentence comes with its own code, which few ever need. */
export const tellNotReady = (): void => {
  void import('../../shared/feature-alert.ts').then(({ showFeatureAlert }) => showFeatureAlert());
};
