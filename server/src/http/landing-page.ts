import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseLanguage, isLiteral } from '@framelift/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { getFeatures } from '../domain/site/features.ts';
import { getMaintenance } from '../domain/site/site.ts';
import { credentialsOf } from './credentials.ts';
import { wishesOf } from './language.ts';
import { allowScripts } from './security.ts';
import type { Pages } from './static.ts';

const PATHS = ['/', '/index'];
/** Parameters with which the landing page is the same, apart from those of campaigns. Others lead elsewhere. */
const HARMLESS = /^(?:lang|utm_\w+)$/;

const hashOf = (script: string) => createHash('sha256').update(script).digest('base64');

/**
 * Sends a visitor the landing page as the build has prerendered it (`web/prerender.plugin.ts`), in the visitor's language.
 * Returns false where the first sight is another one: for those who have a session, during maintenance, with a player site
 * elsewhere, or with parameters of the address that do something.
 */
export async function sendLandingPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { web }: Pages,
): Promise<boolean> {
  const [path = '', query] = request.url.split('?', 2);
  if (web === null || !PATHS.includes(path) || !['GET', 'HEAD'].includes(request.method)) return false;
  const parameters = new URLSearchParams(query);
  reply.header('vary', 'accept-language, cookie');
  const leadsElsewhere = [...parameters.keys()].some((name) => !HARMLESS.test(name));
  if (leadsElsewhere || credentialsOf(request).by !== 'nothing' || context.settings.playerUrl !== null) return false;
  // The app can still say that something is wrong with the database.
  const site = await Promise.all([getMaintenance(context), getFeatures(context)]).catch(() => null);
  if (site === null || site[0].on) return false;
  const language = chooseLanguage({
    guest: false,
    parameter: parameters.get('lang'),
    cookie: request.cookies['lang'],
    browser: isLiteral(site[1]) ? [] : wishesOf(request.headers['accept-language']),
  });
  const name = `landing.${language}.html`;
  const page = await readFile(join(web, name), 'utf8').catch(() => null);
  if (page === null) return false;
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  allowScripts(reply, scripts.map(hashOf));
  reply.code(200).sendFile(name, web);
  return true;
}
