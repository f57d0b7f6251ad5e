import { z } from 'zod';
import { MEMBERS, PEOPLE, SIGNED_IN } from './actors.ts';
import { DAY_SECONDS, defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS, PASSWORD_TRIES } from './endpoint.ts';
import { captchaChallenge, session, user } from './entities.ts';
import { email, id, newPassword, phone, shortName, time } from './fields.ts';
import { LIMITS } from './limits.ts';

const byId = z.strictObject({ id });
/** A password as typed at login: any length that could ever have been accepted. */
const typedPassword = z.string().min(1).max(LIMITS.password.max);
/** Secret of a mailed link: 32 random bytes in base64url. */
const linkCode = z.string().min(1).max(100);
/** Proof that a person, or at least a patient machine, fills in the form; asked for while `config.captcha` is not 'off'. */
const recaptcha = z.string().max(10_000).optional();

/** Calls about accounts and sessions: of strangers, and of members about their own. */
export const accountApi = {
  // Accounts
  register: defineEndpoint({
    name: 'register',
    method: 'POST',
    path: '/register',
    summary: 'Creates an account and mails a confirmation link. The answer is the same for an address that has one.',
    actors: PEOPLE,
    input: z.strictObject({
      name: shortName,
      email,
      phone: phone.default(''),
      password: newPassword,
      password_confirmation: z.string().max(LIMITS.password.max),
      recaptcha,
      isChecked: z.boolean(),
    }),
    output: z.strictObject({ email: z.string() }),
    errors: ['passwordsDoNotMatch', 'agreementMissing', 'captchaFailed', 'passwordTooCommon', 'passwordNamesOwner'],
    rateLimits: [{ by: 'ip', max: 20, seconds: HOUR_SECONDS }],
  }),
  sendConfirmEmail: defineEndpoint({
    name: 'sendConfirmEmail',
    method: 'POST',
    path: '/sendConfirmEmail',
    summary: 'Mails the confirmation link again. The answer is the same for every address.',
    actors: PEOPLE,
    input: z.strictObject({ email }),
    output: z.strictObject({ email: z.string() }),
    rateLimits: [
      { by: 'ip', max: 20, seconds: HOUR_SECONDS },
      { by: 'email', max: LIMITS.resend.perMinute, seconds: MINUTE_SECONDS },
      { by: 'email', max: LIMITS.resend.perDay, seconds: DAY_SECONDS },
    ],
  }),
  confirmEmail: defineEndpoint({
    name: 'confirmEmail',
    method: 'POST',
    path: '/confirmEmail',
    summary:
      'Confirms an address, at registration or as the new one of a member, with the code of the mailed link. Opening the link alone never does. `passwordNeeded`: the address was registered with differing passwords, so a link to choose one is mailed.',
    actors: PEOPLE,
    input: z.strictObject({ email, code: linkCode }),
    output: z.strictObject({ alreadyConfirmed: z.boolean(), passwordNeeded: z.boolean() }),
    errors: ['incorrectVerificationCode', 'expiredVerificationCode'],
    rateLimits: [{ by: 'ip', max: 30, seconds: 15 * MINUTE_SECONDS }],
  }),
  login: defineEndpoint({
    name: 'login',
    method: 'POST',
    path: '/login',
    summary: 'Starts a session: the token is answered for API clients and set as an HttpOnly cookie for the web app.',
    actors: PEOPLE,
    input: z.strictObject({ email: z.string().trim().min(1).max(LIMITS.emailLength), password: typedPassword }),
    output: z.strictObject({ token: z.string(), user }),
    errors: ['loginFailed', 'accountRestricted'],
    rateLimits: [
      { by: 'ip', max: 30, seconds: 15 * MINUTE_SECONDS },
      { by: 'ip+email', max: 10, seconds: 15 * MINUTE_SECONDS },
    ],
    openInMaintenance: true,
  }),
  guestLogin: defineEndpoint({
    name: 'guestLogin',
    method: 'POST',
    path: '/guestLogin',
    summary: 'Starts a guest session. The same guestId finds the same uploads again; it is a secret of the browser.',
    actors: PEOPLE,
    input: z.strictObject({ guestId: z.string().min(16).max(128), recaptcha }),
    output: z.strictObject({ token: z.string(), user }),
    errors: ['captchaFailed'],
    rateLimits: [{ by: 'ip', max: 30, seconds: HOUR_SECONDS }],
  }),
  logout: defineEndpoint({
    name: 'logout',
    method: 'POST',
    path: '/logout',
    summary: 'Ends this session on the server and clears the cookie. Without a session it succeeds as well.',
    actors: PEOPLE,
    output: z.strictObject({}),
    openInMaintenance: true,
  }),
  user: defineEndpoint({
    name: 'user',
    method: 'GET',
    path: '/user',
    summary: 'The member or guest of this session.',
    actors: SIGNED_IN,
    output: user,
  }),

  checkTokenForUser: defineEndpoint({
    name: 'checkTokenForUser',
    method: 'POST',
    path: '/checkTokenForUser',
    summary: 'Whether the session of this call is that of the user named.',
    actors: SIGNED_IN,
    input: z.strictObject({ userId: z.string().max(100) }),
    output: z.strictObject({ belongs: z.boolean() }),
  }),
  captchaChallenge: defineEndpoint({
    name: 'captchaChallenge',
    method: 'GET',
    path: '/captchaChallenge',
    summary:
      'A proof of work for one form, in the shape of ALTCHA; the solution is sent as `recaptcha`, once. There is none while `config.captcha` is off.',
    actors: PEOPLE,
    input: z.strictObject({ purpose: z.enum(['register', 'forget', 'guest']) }),
    output: captchaChallenge,
    errors: ['notFound'],
    rateLimits: [{ by: 'ip', max: 120, seconds: HOUR_SECONDS }],
  }),
  forgetPassword: defineEndpoint({
    name: 'forgetPassword',
    method: 'POST',
    path: '/forgetPassword',
    summary: 'Mails a link to choose a new password. The answer is the same for every address.',
    actors: PEOPLE,
    input: z.strictObject({ email, recaptcha }),
    output: z.strictObject({ email: z.string() }),
    errors: ['captchaFailed'],
    rateLimits: [
      { by: 'ip', max: 20, seconds: HOUR_SECONDS },
      { by: 'email', max: LIMITS.resend.perMinute, seconds: MINUTE_SECONDS },
      { by: 'email', max: 3, seconds: HOUR_SECONDS },
    ],
  }),
  changePassword: defineEndpoint({
    name: 'changePassword',
    method: 'POST',
    path: '/changePassword',
    summary:
      'Sets a new password with the token of the mailed link, which works once, and ends every session of the member. It starts none.',
    actors: PEOPLE,
    input: z.strictObject({ token: linkCode, email, newPassword }),
    output: z.strictObject({ email: z.string() }),
    errors: ['changePermissionExpired', 'passwordTooCommon', 'passwordNamesOwner'],
    rateLimits: [{ by: 'ip', max: 30, seconds: 15 * MINUTE_SECONDS }],
  }),

  // A member's own account
  userUpdate: defineEndpoint({
    name: 'userUpdate',
    method: 'PUT',
    path: '/userUpdate',
    summary:
      'Changes name, phone or password; what is not named stays. A new password needs the present one and ends all other sessions.',
    actors: MEMBERS,
    input: z.strictObject({
      name: shortName.optional(),
      phone: phone.optional(),
      old_password: typedPassword.optional(),
      password: newPassword.optional(),
      password_confirmation: z.string().max(LIMITS.password.max).optional(),
    }),
    output: user,
    errors: ['updatePasswordFailed', 'passwordsDoNotMatch', 'passwordTooCommon', 'passwordNamesOwner'],
    rateLimits: [{ by: 'user', max: 20, seconds: 15 * MINUTE_SECONDS }],
  }),
  changeEmail: defineEndpoint({
    name: 'changeEmail',
    method: 'POST',
    path: '/changeEmail',
    summary:
      'Mails a link to the new address; confirmEmail with its code makes the change. The present address is told. The answer is the same for an address that another account has.',
    actors: MEMBERS,
    input: z.strictObject({ email, password: typedPassword }),
    output: z.strictObject({ email: z.string() }),
    errors: ['passwordIncorrect'],
    rateLimits: [{ by: 'user', max: 5, seconds: HOUR_SECONDS }],
  }),
  sessions: defineEndpoint({
    name: 'sessions',
    method: 'GET',
    path: '/sessions',
    summary: 'Where the member is logged in, the latest use first.',
    actors: MEMBERS,
    output: z.array(session),
  }),
  revokeSession: defineEndpoint({
    name: 'revokeSession',
    method: 'POST',
    path: '/revokeSession',
    summary: "Ends one of the member's sessions.",
    actors: MEMBERS,
    input: byId,
    output: z.strictObject({ id }),
    errors: ['sessionNotFound'],
  }),
  revokeOtherSessions: defineEndpoint({
    name: 'revokeOtherSessions',
    method: 'POST',
    path: '/revokeOtherSessions',
    summary: "Ends all of the member's sessions but this one.",
    actors: MEMBERS,
    output: z.strictObject({ ended: z.int() }),
  }),
  getUserInfo: defineEndpoint({
    name: 'getUserInfo',
    method: 'POST',
    path: '/getUserInfo',
    summary: 'The member with exactly this address, to find a friend by; null when there is none.',
    actors: MEMBERS,
    input: z.strictObject({ email }),
    output: z.strictObject({ name: z.string(), email: z.string() }).nullable(),
    rateLimits: [{ by: 'user', max: 30, seconds: HOUR_SECONDS }],
  }),
  getCurrentPlan: defineEndpoint({
    name: 'getCurrentPlan',
    method: 'POST',
    path: '/getCurrentPlan',
    summary: 'The plan that the member has now; id 1 is none.',
    actors: MEMBERS,
    output: user.shape.myPlan,
  }),
  setVIP: defineEndpoint({
    name: 'setVIP',
    method: 'POST',
    path: '/setVIP',
    summary: 'Redeems a serial (pin) code, which works once, and makes the member a VIP.',
    actors: MEMBERS,
    input: z.strictObject({ pin_code: z.string().min(1).max(100) }),
    output: user,
    errors: ['pinCodeIncorrect', 'alreadyVip'],
    rateLimits: [
      { by: 'user', max: 5, seconds: HOUR_SECONDS },
      { by: 'ip', max: 20, seconds: DAY_SECONDS },
    ],
  }),
  exportAccount: defineEndpoint({
    name: 'exportAccount',
    method: 'POST',
    path: '/exportAccount',
    summary: "A link, for a few minutes and this member's sessions only, to everything that we keep of the member.",
    actors: MEMBERS,
    input: z.strictObject({ password: typedPassword }),
    /** `size` is that of the files in it, in bytes. */
    output: z.strictObject({ url: z.string(), expires_at: time, size: z.int() }),
    errors: ['passwordIncorrect'],
    rateLimits: PASSWORD_TRIES,
  }),
  accountExport: defineEndpoint({
    name: 'accountExport',
    method: 'GET',
    path: '/accountExport',
    kind: 'file',
    input: z.strictObject({ code: linkCode }),
    summary: 'The ZIP of exportAccount: account.json and the original files as they were uploaded.',
    actors: MEMBERS,
    output: z.unknown(),
    errors: ['linkExpired'],
    // Each may be all that a member has here.
    rateLimits: [{ by: 'user', max: 20, seconds: HOUR_SECONDS }],
  }),
  deleteAccount: defineEndpoint({
    name: 'deleteAccount',
    method: 'POST',
    path: '/deleteAccount',
    summary:
      'Ends every session and, after a grace of 14 days, removes the account with all its files. Until then a login and keepAccount undo it.',
    actors: ['member', 'suspended', 'vip'],
    input: z.strictObject({ password: typedPassword }),
    output: z.strictObject({ deletion_at: time }),
    errors: ['passwordIncorrect'],
    rateLimits: PASSWORD_TRIES,
  }),
  keepAccount: defineEndpoint({
    name: 'keepAccount',
    method: 'POST',
    path: '/keepAccount',
    summary: 'Undoes deleteAccount within its grace.',
    actors: ['member', 'suspended', 'vip'],
    output: user,
  }),
} as const;
