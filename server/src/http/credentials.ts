import { LIMITS } from '@framelift/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'token';

export interface Credentials {
  readonly token: string | undefined;
  readonly by: 'bearer' | 'cookie' | 'nothing';
}

/** Returns the token of the bearer header, or else of the cookie. */
export function credentialsOf(request: FastifyRequest): Credentials {
  const bearer = /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer) return { token: bearer, by: 'bearer' };
  const cookie = request.cookies[COOKIE];
  return { token: cookie, by: cookie === undefined ? 'nothing' : 'cookie' };
}

/** Returns whether the page was loaded by HTTPS. Behind an untrusted proxy only its Origin header shows that. */
const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || Boolean(headers.origin?.startsWith('https:'));

const attributes = (request: FastifyRequest) =>
  ({ httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(request) }) as const;

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(COOKIE, token, { ...attributes(request), maxAge: LIMITS.sessionDays * 86_400 });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(COOKIE, attributes(request));
}
