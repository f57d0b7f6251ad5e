import { ApiError } from '@framelift/contract';
import type { FastifyRequest } from 'fastify';
import type { Credentials } from './credentials.ts';

/**
 * Refuses writes that another website triggers in a browser. Browsers send Sec-Fetch-Site over HTTPS and on localhost,
 * and Origin everywhere. A caller that sends neither is not a browser, and is accepted only without a cookie. A bearer
 * header needs no check, because other websites cannot add one.
 * @throws ApiError `crossSiteWrite`
 */
export function refuseCrossSiteWrite(request: FastifyRequest, publicUrl: string, by: Credentials['by']): void {
  if (request.method === 'GET' || request.method === 'HEAD' || by === 'bearer') return;
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const allowed =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : origin !== undefined
        ? origin === new URL(publicUrl).origin || origin === `${request.protocol}://${request.headers.host}`
        : by === 'nothing';
  if (!allowed) throw new ApiError('crossSiteWrite');
}
