import { featurePreset, type PublicConfig } from '@framelift/contract';

/** The configuration of a new installation on the web, without its version. */
export const DEFAULT_CONFIG: PublicConfig = {
  version: '',
  environment: 'production',
  sandbox: false,
  isMaintenance: false,
  maintenance: { from: '', to: '' },
  Announcement: false,
  announcement: null,
  captcha: 'off',
  recaptcha: null,
  features: featurePreset('full'),
  playerUrl: null,
  aboutUrl: null,
  storageOrigins: [],
};
