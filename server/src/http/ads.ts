import { checkPaymentFlow, getAdPicture, getAds, reportAdProgress, startAd } from '../domain/ad/ads.ts';
import type { Handlers } from './endpoint.ts';

export const adHandlers = {
  ads: ({ context, actor }) => getAds(context, actor),
  startAd: ({ context, actor }) => startAd(context, actor),
  adProgress: ({ context, actor, params, input }) => reportAdProgress(context, actor, { ...params, ...input }),
  adPicture: async ({ context, actor, params, input, reply }) =>
    reply.type('image/svg+xml').send(await getAdPicture(context, actor, { ...params, ...input })),
  checkPaymentFlow: ({ context, actor, input }) => checkPaymentFlow(context, actor, input),
} satisfies Partial<Handlers>;
