import { listFaq, listLocations } from '../domain/site/entries.ts';
import { getLegalText } from '../domain/site/legal.ts';
import type { Handlers } from './endpoint.ts';

/** What everybody may read on the public pages. */
export const pageHandlers = {
  faq: ({ context, actor }) => listFaq(context, actor),
  legalText: ({ context, actor, params, input }) => getLegalText(context, actor, { ...params, ...input }),
  locations: ({ context, actor }) => listLocations(context, actor),
} satisfies Partial<Handlers>;
