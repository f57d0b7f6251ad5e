import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailCodes, mails, sessions } from '../../platform/db/schema.ts';
import { confirmationOf, registration, startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { accountJobs, cleanUpAccounts } from './account.jobs.ts';

const DAY_MS = 86_400_000;

describe('cleaning up accounts', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  const cleanUp = () => {
    const handler = accountJobs.find(({ job }) => job.name === cleanUpAccounts.name) ?? expect.fail('no handler');
    return handler.run(app.context, {}, { id: 'x', attempt: 1, signal: new AbortController().signal });
  };
  const counts = async () => {
    const { db } = app.context;
    return [await db.$count(sessions), await db.$count(mailCodes), await db.$count(mails)];
  };

  it('removes ended sessions at once, codes and mails after a month, and nothing that still says something', async () => {
    const member = await app.member('mia@example.com');
    await app.client().call('register', { input: registration('late@example.com') });
    const late = confirmationOf(await app.mailTo('late@example.com'));
    await cleanUp();
    expect(await counts()).toEqual([1, 2, 2]);

    app.clock.advance(29 * DAY_MS);
    await cleanUp();
    expect(await counts()).toEqual([1, 2, 2]);
    // Its link still explains why it does not work.
    await expect(
      app.client().call('confirmEmail', { input: { email: 'late@example.com', code: late.code } }),
    ).rejects.toMatchObject({ code: 'expiredVerificationCode' });

    app.clock.advance(3 * DAY_MS);
    await cleanUp();
    expect(await counts()).toEqual([0, 0, 0]);
    await expect(
      app.client().call('login', { input: { email: member.email, password: member.password } }),
    ).resolves.toMatchObject({ user: { id: member.userId } });
    const [session] = await app.context.db.select().from(sessions).where(eq(sessions.userId, member.userId));
    expect(session?.expiresAt.getTime()).toBe((session?.createdAt.getTime() ?? 0) + 30 * DAY_MS);
  });
});
