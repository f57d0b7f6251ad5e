import { type AcceptedTypes, acceptedTypes } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../../api/config.ts';

/** Returns which file types the operator lets people upload; all until the configuration is loaded. */
export function useAcceptedTypes(): AcceptedTypes {
  const { data: config } = useQuery(configQuery);
  return config ? acceptedTypes(config.features) : 'all';
}
