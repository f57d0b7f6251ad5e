import { featurePreset, LIMITS, type PublicConfig } from '@framelift/contract';

/** Default public configuration for tests. */
export const aConfig: PublicConfig = {
  version: '0.0.0-test',
  environment: 'production',
  sandbox: true,
  isMaintenance: false,
  maintenance: LIMITS.maintenanceExample,
  Announcement: false,
  announcement: null,
  captcha: 'off',
  recaptcha: null,
  features: featurePreset('full'),
  playerUrl: null,
  aboutUrl: null,
  storageOrigins: [],
};
