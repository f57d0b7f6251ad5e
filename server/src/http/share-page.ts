import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { htmlLangOf, type Language, sharedTitle } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { getSharedCard, type SharedCard } from '../domain/share/shared.ts';
import { type Html, html } from '../platform/html.ts';
import { languageOf } from './language.ts';
import { allowFraming } from './security.ts';
import type { Pages } from './static.ts';

interface ByToken {
  Params: { token: string };
}

/**
 * Serves the pages of public links: the app's page, with a head that tells messengers and networks what it shows, because
 * they run no scripts. A link that does not open answers 404 with the same page, which says so.
 */
export function mountSharePages(app: FastifyInstance, context: Context, pages: Pages): void {
  const { web } = pages;
  if (web === null) return;

  const answer = (embedded: boolean) => async (request: FastifyRequest<ByToken>, reply: FastifyReply) => {
    const page = await readFile(join(web, 'index.html'), 'utf8').catch(() => null);
    // The app says that it is not built yet.
    if (page === null) return reply.callNotFound();
    const language = languageOf(request.headers['accept-language']);
    const { token } = request.params;
    const card = await getSharedCard(context, { token }).catch((error: unknown) => {
      // The page can still say that it cannot be loaded just now, in words.
      context.log.warn({ requestId: request.id, err: error }, 'The card of a public link could not be read');
      return undefined;
    });
    const status = card === undefined ? 503 : card === null ? 404 : 200;
    if (embedded) allowFraming(reply);
    return reply
      .code(status)
      .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
      .type('text/html; charset=utf-8')
      .send(withHead(page, language, headOf(context.settings.publicUrl, token, card ?? null, language)));
  };
  for (const [url, embedded] of [
    ['/s/:token', false],
    ['/embed/:token', true],
  ] as const)
    app.route({ method: ['GET', 'HEAD'], url, exposeHeadRoute: false, handler: answer(embedded) });
}

/** Returns the page with another head and language. */
function withHead(page: string, language: Language, head: Html): string {
  return (
    page
      .replace(/<html lang="[^"]*"/, `<html lang="${htmlLangOf(language)}"`)
      .replace(/\s*<meta name="description"[^>]*>/, '')
      // A function, because a name may contain what a replacement would interpret.
      .replace(/<title>[^<]*<\/title>/, () => head.text)
  );
}

function headOf(publicUrl: string, token: string, card: SharedCard | null, language: Language): Html {
  const t = textsIn(language, 'share');
  const robots = html`<meta name="robots" content="noindex, nofollow">`;
  if (!card) return html`<title>Framelift</title><meta name="description" content="${t('page.gone')}">${robots}`;
  const name = sharedTitle(card.name);
  const title = t('card.title', { name });
  const description = t(card.isVideo ? 'card.video' : card.hasDepth ? 'card.depth' : 'card.flat');
  const image = card.picture && publicUrl + card.picture;
  const video = card.video && publicUrl + card.video;
  const named = (key: string, content: string) => html`<meta name="${key}" content="${content}">`;
  const property = (key: string, content: string) => html`<meta property="${key}" content="${content}">`;
  return html`<title>${title}</title>${[
    named('description', description),
    robots,
    property('og:site_name', 'Framelift'),
    property('og:type', card.isVideo ? 'video.other' : 'website'),
    property('og:url', `${publicUrl}/s/${token}`),
    property('og:title', name),
    property('og:description', description),
    property('og:locale', htmlLangOf(language).replaceAll('-', '_')),
    named('twitter:card', 'summary_large_image'),
    named('twitter:title', name),
    named('twitter:description', description),
    ...(image ? [property('og:image', image), property('og:image:alt', name), named('twitter:image', image)] : []),
    ...(video ? [property('og:video', video), property('og:video:type', 'video/mp4')] : []),
  ]}`;
}
