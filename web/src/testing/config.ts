import { featurePreset, LIMITS, type PublicConfig } from '@framelift/contract';

/** What the server says of itself before anybody is logged in, where a test needs no other. */
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
