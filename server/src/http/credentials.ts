import { API_BASE, api, HOUR_SECONDS, LIMITS } from '@framelift/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'token';
/** Secret of the browser that registered, which its confirmation logs in. */
const REGISTRATION_COOKIE = 'registration';

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

export const registrationKeyOf = (request: FastifyRequest): string | undefined => request.cookies[REGISTRATION_COOKIE];

/** Valid as long as the mailed link. Sent only to the call that reads it. */
const registrationAttributes = (request: FastifyRequest) => ({
  ...attributes(request),
  path: `${API_BASE}${api.confirmEmail.path}`,
});

export function setRegistrationCookie(request: FastifyRequest, reply: FastifyReply, key: string): void {
  reply.setCookie(REGISTRATION_COOKIE, key, {
    ...registrationAttributes(request),
    maxAge: LIMITS.emailLinkHours * HOUR_SECONDS,
  });
}

export function clearRegistrationCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(REGISTRATION_COOKIE, registrationAttributes(request));
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(COOKIE, attributes(request));
}
