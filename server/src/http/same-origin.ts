import { ApiError } from '@framelift/contract';
import type { FastifyRequest } from 'fastify';
import type { Credentials } from './credentials.ts';

/**
 * Refuses a write that another website made a browser send, with its cookie or without. Browsers say where a call comes
 * from: Sec-Fetch-Site over HTTPS and on localhost, Origin everywhere. A caller that says neither is no browser; without
 * a cookie it may pass, with one it may not, as nobody else has a cookie. A bearer header needs no check: no website can
 * add one.
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
