import { LIMITS, type PublicConfig } from '@framelift/contract';
import { DEFAULT_CONFIG } from '../api/default-config.ts';

/** Default public configuration for tests. */
export const aConfig: PublicConfig = {
  ...DEFAULT_CONFIG,
  version: '0.0.0-test',
  sandbox: true,
  maintenance: LIMITS.maintenanceExample,
};
