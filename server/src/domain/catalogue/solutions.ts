import { type api, type InputOf, inLanguage, type Language, type OutputOf, type Solution } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type Page, pagedByPlace } from '../../platform/paging.ts';
import { listOffersForSale, type OfferFilter, type OfferView } from './catalogue.sql.ts';

/** Returns a page of what is for sale. @throws ApiError `invalidInput` for an invalid cursor */
export function listSolutions(
  { db }: Context,
  { language }: Actor,
  { page, ...filter }: OfferFilter & { readonly page?: string | undefined },
): Promise<Page<Solution>> {
  return pagedByPlace({
    cursor: page,
    read: (request) => listOffersForSale(db, filter, request),
    positionOf: ({ offer }) => offer,
    present: (views) => views.map((view) => presentSolution(view, language)),
  });
}

/** Returns a page of everything that can be paid for. @throws ApiError `invalidInput` for an invalid cursor */
export function listProjects(
  { db }: Context,
  { language }: Actor,
  { page }: InputOf<typeof api.projects>,
): Promise<Page<OutputOf<typeof api.projects>>> {
  return pagedByPlace({
    cursor: page,
    read: (request) => listOffersForSale(db, { kind: null }, request),
    positionOf: ({ offer }) => offer,
    present: (views) => views.map((view) => ({ id: `offer-${view.offer.id}`, name: offerName(view, language) })),
  });
}

/** Returns the name of an offer: its own, or that of its product or plan. */
function offerName({ offer, product, plan }: OfferView, language: Language): string {
  const name = offer.name ?? product?.name ?? plan?.name;
  return name ? inLanguage(name, language) : '';
}

function presentSolution(view: OfferView, language: Language): Solution {
  const { offer, plan } = view;
  const own = inLanguage(offer.content, language);
  const prices: Solution['prices'] = [{ currency: 'USD', costs: offer.priceUsd }];
  if (offer.priceTwd !== null) prices.push({ currency: 'TWD', costs: offer.priceTwd });
  return {
    id: offer.id,
    product_id: offer.productId,
    plan_id: offer.planId,
    points: offer.points,
    name: offerName(view, language),
    icon: offer.icon || (plan?.icon ?? ''),
    costs: offer.priceUsd,
    currency: 'USD',
    prices,
    period: offer.period,
    content: [...(own.length > 0 || !plan ? own : inLanguage(plan.content, language))],
  };
}
