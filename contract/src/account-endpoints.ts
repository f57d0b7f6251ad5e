import { z } from 'zod';
import { MEMBERS, PEOPLE, SIGNED_IN } from './actors.ts';
import { DAY_SECONDS, defineEndpoint, HOUR_SECONDS, MINUTE_SECONDS, PASSWORD_TRIES } from './endpoint.ts';
import { captchaChallenge, session, user } from './entities.ts';
import { email, id, newPassword, passwordText, phone, shortName, time, typedPassword } from './fields.ts';
import { LIMITS } from './limits.ts';

const byId = z.strictObject({ id });
/** Secret of an emailed link: 32 random bytes in base64url. */
const linkCode = z.string().min(1).max(100);
/** Solved captcha challenge of the form; required while `config.captcha` is not 'off'. */
const recaptcha = z.string().max(10_000).optional();

/** Endpoints for accounts and sessions, both before login and for a member's own account. */
export const accountApi = {
  // Accounts
  register: defineEndpoint({
    name: 'register',
    method: 'POST',
    path: '/register',
    summary:
      'Creates an account and emails a confirmation link. The response is the same for an address that already has an account.',
    actors: PEOPLE,
    input: z.strictObject({
      name: shortName,
      email,
      phone: phone.default(''),
      password: newPassword,
      password_confirmation: passwordText,
      recaptcha,
      isChecked: z.boolean(),
    }),
    output: z.strictObject({ email: z.string() }),
    errors: [
      'signUpClosed',
      'passwordsDoNotMatch',
      'agreementMissing',
      'captchaFailed',
      'passwordTooCommon',
      'passwordNamesOwner',
    ],
    rateLimits: [{ by: 'ip', max: 20, seconds: HOUR_SECONDS }],
  }),
  sendConfirmEmail: defineEndpoint({
    name: 'sendConfirmEmail',
    method: 'POST',
    path: '/sendConfirmEmail',
    summary: 'Emails the confirmation link again. The response is the same for every address.',
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
      'Confirms an email address, at registration or after a change, with the code of the emailed link. Opening the link alone does not confirm. `passwordNeeded`: the address was registered with different passwords, so a link to choose one is emailed. In the browser that registered, which holds a cookie of `register`, it also starts a session and sets its cookie.',
    actors: PEOPLE,
    input: z.strictObject({ email, code: linkCode }),
    /** `user` is present if the call has started a session. */
    output: z.strictObject({ alreadyConfirmed: z.boolean(), passwordNeeded: z.boolean(), user: user.optional() }),
    errors: ['incorrectVerificationCode', 'expiredVerificationCode'],
    rateLimits: [{ by: 'ip', max: 30, seconds: 15 * MINUTE_SECONDS }],
  }),
  login: defineEndpoint({
    name: 'login',
    method: 'POST',
    path: '/login',
    summary: 'Starts a session. The token is returned for API clients and set as an HttpOnly cookie for the web app.',
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
    summary:
      'Starts a guest session. The same guestId gives access to the same uploads; it is a secret of the browser.',
    actors: PEOPLE,
    input: z.strictObject({ guestId: z.string().min(16).max(128), recaptcha }),
    output: z.strictObject({ token: z.string(), user }),
    errors: ['guestsClosed', 'captchaFailed'],
    rateLimits: [{ by: 'ip', max: 30, seconds: HOUR_SECONDS }],
  }),
  logout: defineEndpoint({
    name: 'logout',
    method: 'POST',
    path: '/logout',
    summary: 'Ends this session and clears the cookie. Succeeds without a session as well.',
    actors: PEOPLE,
    output: z.strictObject({}),
    openInMaintenance: true,
  }),
  user: defineEndpoint({
    name: 'user',
    method: 'GET',
    path: '/user',
    summary: 'Returns the member or guest of this session.',
    actors: SIGNED_IN,
    output: user,
  }),

  checkTokenForUser: defineEndpoint({
    name: 'checkTokenForUser',
    method: 'POST',
    path: '/checkTokenForUser',
    summary: 'Returns whether the session belongs to the given user.',
    actors: SIGNED_IN,
    input: z.strictObject({ userId: z.string().max(100) }),
    output: z.strictObject({ belongs: z.boolean() }),
  }),
  captchaChallenge: defineEndpoint({
    name: 'captchaChallenge',
    method: 'GET',
    path: '/captchaChallenge',
    summary:
      'Returns an ALTCHA proof-of-work challenge for one form; its solution is sent as `recaptcha` and valid once. Unavailable while `config.captcha` is off.',
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
    summary: 'Emails a link to choose a new password. The response is the same for every address.',
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
      'Sets a new password with the single-use token of the emailed link and ends every session of the member. Starts no session.',
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
      'Changes name, phone or password; omitted fields stay. A new password requires the current one and ends all other sessions.',
    actors: MEMBERS,
    input: z.strictObject({
      name: shortName.optional(),
      phone: phone.optional(),
      old_password: typedPassword.optional(),
      password: newPassword.optional(),
      password_confirmation: passwordText.optional(),
    }),
    output: user,
    errors: [
      'updatePasswordFailed',
      'passwordsDoNotMatch',
      'passwordTooCommon',
      'passwordNamesOwner',
      'updateUsernameFailed',
      'updateUserDataFailed',
    ],
    rateLimits: [{ by: 'user', max: 20, seconds: 15 * MINUTE_SECONDS }],
  }),
  changeEmail: defineEndpoint({
    name: 'changeEmail',
    method: 'POST',
    path: '/changeEmail',
    summary:
      'Emails a link to the new address; confirmEmail with its code makes the change. The current address is notified. The response is the same for an address that belongs to another account. `emailSendingFailed` if the address was mailed too often today.',
    actors: MEMBERS,
    input: z.strictObject({ email, password: typedPassword }),
    output: z.strictObject({ email: z.string() }),
    errors: ['passwordIncorrect', 'emailSendingFailed'],
    rateLimits: [{ by: 'user', max: 5, seconds: HOUR_SECONDS }],
  }),
  sessions: defineEndpoint({
    name: 'sessions',
    method: 'GET',
    path: '/sessions',
    summary: "Lists the member's sessions, most recently used first.",
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
    summary: 'Returns the member with exactly this email address, or null.',
    actors: MEMBERS,
    input: z.strictObject({ email }),
    output: z.strictObject({ name: z.string(), email: z.string() }).nullable(),
    rateLimits: [{ by: 'user', max: 30, seconds: HOUR_SECONDS }],
  }),
  getCurrentPlan: defineEndpoint({
    name: 'getCurrentPlan',
    method: 'POST',
    path: '/getCurrentPlan',
    summary: "Returns the member's current plan; id 1 means none.",
    actors: MEMBERS,
    output: user.shape.myPlan,
  }),
  setVIP: defineEndpoint({
    name: 'setVIP',
    method: 'POST',
    path: '/setVIP',
    summary: 'Redeems a single-use serial (pin) code and makes the member a VIP.',
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
    summary: "Returns a short-lived link, valid for this member's sessions only, to an export of the member's data.",
    actors: MEMBERS,
    input: z.strictObject({ password: typedPassword }),
    /** `size` is the total of the contained files in bytes. */
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
    summary: 'Downloads the ZIP of exportAccount: account.json and the original uploads.',
    actors: MEMBERS,
    output: z.unknown(),
    errors: ['linkExpired'],
    // An export may be large: it can contain everything of a member.
    rateLimits: [{ by: 'user', max: 20, seconds: HOUR_SECONDS }],
  }),
  deleteAccount: defineEndpoint({
    name: 'deleteAccount',
    method: 'POST',
    path: '/deleteAccount',
    summary:
      'Ends every session and removes the account with all its files after 14 days. Until then it can be undone with a login and keepAccount.',
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
    summary: 'Undoes deleteAccount within its grace period.',
    actors: ['member', 'suspended', 'vip'],
    output: user,
  }),
} as const;
