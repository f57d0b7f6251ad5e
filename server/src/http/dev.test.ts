import { describe, expect, it } from 'vitest';
import { startTestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import { refusal } from '../testing/uploads.ts';

describe('the calls for tests', () => {
  it('answer an administrator in the environment dev, and nobody else [R-7.misc.1][R-7.misc.2]', async () => {
    const app = await startTestApp(await openTestDatabase(), { settings: { environment: 'dev' } });
    const { client: admin } = await app.admin();
    expect(await admin.call('queryVideoList', { input: {} })).toMatchObject({ data: [], hasNext: false });
    const { text, time } = await admin.call('testBC', { input: { text: 'ping' } });
    expect([text, Math.abs(Date.parse(time) - app.clock.now().getTime()) < 60_000]).toEqual(['ping', true]);
    const member = app.client({ token: (await app.member()).token });
    expect((await refusal(member.call('testBC', { input: {} }))).code).toBe('notAllowed');
    expect((await refusal(member.call('queryVideoList', { input: {} }))).code).toBe('notAllowed');
    await app.close();
  });

  it('do not exist in production, for administrators neither [R-7.misc.1][R-7.misc.2]', async () => {
    const app = await startTestApp(await openTestDatabase());
    const { client: admin } = await app.admin();
    for (const name of ['queryVideoList', 'testBC'] as const) {
      const { status, code } = await refusal(admin.call(name, { input: {} }));
      expect([status, code]).toEqual([404, 'notFound']);
    }
    await app.close();
  });
});
