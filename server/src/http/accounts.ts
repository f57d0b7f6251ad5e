import { api } from '@framelift/contract';
import { confirmEmail, sendConfirmEmail } from '../domain/account/confirmation.ts';
import { guestLogin, login } from '../domain/account/login.ts';
import { register } from '../domain/account/register.ts';
import { logout } from '../domain/account/session.ts';
import { getUser } from '../domain/account/user.ts';
import { clearSessionCookie, setSessionCookie } from './credentials.ts';
import type { Mount } from './endpoint.ts';

export function mountAccounts(mount: Mount): void {
  mount(api.register, ({ context, actor, input }) => register(context, actor, input));
  mount(api.sendConfirmEmail, ({ context, actor, input }) => sendConfirmEmail(context, actor, input));
  mount(api.confirmEmail, ({ context, actor, input }) => confirmEmail(context, actor, input));
  mount(api.user, ({ context, actor }) => getUser(context, actor));

  mount(api.login, async ({ context, actor, input, request, reply }) => {
    const started = await login(context, actor, { ...input, userAgent: request.headers['user-agent'] });
    setSessionCookie(request, reply, started.token);
    return started;
  });
  mount(api.guestLogin, async ({ context, actor, input, request, reply }) => {
    const started = await guestLogin(context, actor, { ...input, userAgent: request.headers['user-agent'] });
    setSessionCookie(request, reply, started.token);
    return started;
  });
  mount(api.logout, async ({ context, actor, request, reply }) => {
    clearSessionCookie(request, reply);
    return logout(context, actor);
  });
}
