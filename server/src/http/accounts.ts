import type { FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import { confirmEmail, sendConfirmEmail } from '../domain/account/confirmation.ts';
import { exportAccount, openExport } from '../domain/account/export.ts';
import { guestLogin, login } from '../domain/account/login.ts';
import { register } from '../domain/account/register.ts';
import { deleteAccount, keepAccount } from '../domain/account/removal.ts';
import { changePassword, forgetPassword } from '../domain/account/reset.ts';
import { checkCaptcha, createCaptchaChallenge } from '../domain/user/captcha.ts';
import { changeEmail, updateProfile } from '../domain/user/profile.ts';
import { listSessions, logout, revokeOtherSessions, revokeSession } from '../domain/user/session.ts';
import { checkTokenForUser, getCurrentPlan, getUser, getUserInfo } from '../domain/user/user.ts';
import { redeemVoucher } from '../domain/voucher/vip.ts';
import { contentDisposition } from '../platform/storage/content-disposition.ts';
import {
  clearRegistrationCookie,
  clearSessionCookie,
  registrationKeyOf,
  setRegistrationCookie,
  setSessionCookie,
} from './credentials.ts';
import type { Handlers } from './endpoint.ts';
import { languageOf } from './language.ts';

export const accountHandlers = {
  captchaChallenge: ({ context, input }) => createCaptchaChallenge(context, input),
  register: async ({ context, actor, input, request, reply }) => {
    await checkCaptcha(context, 'register', input.recaptcha);
    const registrationKey = context.ids.secret();
    const answer = await register(context, inOwnLanguage(actor, request), { ...input, registrationKey });
    // For every address, so that the response does not reveal whether there is an account.
    setRegistrationCookie(request, reply, registrationKey);
    return answer;
  },
  forgetPassword: async ({ context, actor, input, request }) => {
    await checkCaptcha(context, 'forget', input.recaptcha);
    return forgetPassword(context, inOwnLanguage(actor, request), input);
  },
  changePassword: ({ context, actor, input }) => changePassword(context, actor, input),
  sendConfirmEmail: ({ context, actor, input, request }) =>
    sendConfirmEmail(context, inOwnLanguage(actor, request), input),
  confirmEmail: async ({ context, actor, input, request, reply }) => {
    const { started, ...confirmed } = await confirmEmail(context, actor, {
      ...input,
      registrationKey: registrationKeyOf(request),
      userAgent: request.headers['user-agent'],
    });
    if (!started) return confirmed;
    setSessionCookie(request, reply, started.token);
    clearRegistrationCookie(request, reply);
    return { ...confirmed, user: started.user };
  },
  user: ({ context, actor }) => getUser(context, actor),
  checkTokenForUser: ({ context, actor, input }) => checkTokenForUser(context, actor, input),
  getUserInfo: ({ context, actor, input }) => getUserInfo(context, actor, input),
  getCurrentPlan: ({ context, actor }) => getCurrentPlan(context, actor),
  userUpdate: ({ context, actor, input }) => updateProfile(context, actor, input),
  changeEmail: ({ context, actor, input }) => changeEmail(context, actor, input),
  sessions: ({ context, actor }) => listSessions(context, actor),
  revokeSession: ({ context, actor, input }) => revokeSession(context, actor, input),
  revokeOtherSessions: ({ context, actor }) => revokeOtherSessions(context, actor),
  setVIP: ({ context, actor, input }) => redeemVoucher(context, actor, input),
  keepAccount: ({ context, actor }) => keepAccount(context, actor),
  exportAccount: ({ context, actor, input }) => exportAccount(context, actor, input),
  accountExport: async ({ context, actor, input, reply }) => {
    const { name, stream } = await openExport(context, actor, input);
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-disposition': contentDisposition(name, false),
        // Made anew each time, so a part of it fits no other part.
        'accept-ranges': 'none',
      })
      .send(stream);
  },
  deleteAccount: async ({ context, actor, input, request, reply }) => {
    const answer = await deleteAccount(context, actor, input);
    clearSessionCookie(request, reply);
    return answer;
  },

  login: async ({ context, actor, input, request, reply }) => {
    const started = await login(context, actor, { ...input, userAgent: request.headers['user-agent'] });
    setSessionCookie(request, reply, started.token);
    return started;
  },
  guestLogin: async ({ context, actor, input, request, reply }) => {
    await checkCaptcha(context, 'guest', input.recaptcha);
    const started = await guestLogin(context, actor, { ...input, userAgent: request.headers['user-agent'] });
    setSessionCookie(request, reply, started.token);
    return started;
  },
  logout: async ({ context, actor, request, reply }) => {
    clearSessionCookie(request, reply);
    return logout(context, actor);
  },
} satisfies Partial<Handlers>;

/** Returns the actor with the browser's language, for emails to a future member: guests otherwise read English. */
function inOwnLanguage(actor: Actor, request: FastifyRequest): Actor {
  return { ...actor, language: languageOf(request.headers['accept-language']) };
}
