import { getFeatures } from '../domain/site/features.ts';
import { getAnnouncement, getMaintenance } from '../domain/site/site.ts';
import type { Handlers } from './endpoint.ts';

export const configHandlers = {
  config: async ({ context }) => {
    const { on: isMaintenance, ...window } = await getMaintenance(context);
    const { captcha } = context.settings;
    const announcement = await getAnnouncement(context);
    return {
      version: context.settings.version,
      environment: context.settings.environment,
      sandbox: context.settings.sandbox,
      isMaintenance,
      maintenance: window,
      Announcement: announcement !== null,
      announcement,
      captcha: captcha?.kind ?? ('off' as const),
      recaptcha: captcha?.kind === 'recaptcha' ? { siteKey: captcha.siteKey, script: captcha.script } : null,
      features: await getFeatures(context),
      playerUrl: context.settings.playerUrl,
      aboutUrl: context.settings.aboutUrl,
      storageOrigins: [...context.storage.origins],
    };
  },
} satisfies Partial<Handlers>;
