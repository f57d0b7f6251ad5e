import { LIMITS } from '@framelift/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'token';

export interface Credentials {
  readonly token: string | undefined;
  /** A browser sends its cookie by itself, whoever made it call: such a write must prove where it comes from. */
  readonly byCookie: boolean;
}

/** The session's token: a bearer header where there is one, else the cookie. */
export function credentialsOf(request: FastifyRequest): Credentials {
  const bearer = /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer) return { token: bearer, byCookie: false };
  const cookie = request.cookies[COOKIE];
  return { token: cookie, byCookie: cookie !== undefined };
}

const attributes = (request: FastifyRequest) =>
  ({ httpOnly: true, sameSite: 'lax', path: '/', secure: request.protocol === 'https' }) as const;

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(COOKIE, token, { ...attributes(request), maxAge: LIMITS.sessionDays * 86_400 });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(COOKIE, attributes(request));
}
