import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { refusal, requestFor, smallJpeg, upload } from '../../../testing/uploads.ts';

describe('the storage of one member', () => {
  let app: TestApp;
  let picture: Buffer;
  beforeAll(async () => {
    picture = await smallJpeg();
    // Exactly two such pictures.
    app = await startTestApp(await openTestDatabase(), { settings: { storageBytes: 2 * picture.length } });
  });
  afterAll(() => app.close());

  it('ends with storageLimitReached, counts what is on its way, and is free again after a deletion [R-5.server-rules.6][R-8.catalogue.18][R-7.media.4]', async () => {
    const me = app.client({ token: (await app.member()).token });
    const ask = async (given: object = {}) =>
      me.call('requestUploadMedia', { input: await requestFor(me, picture, { effect_param_id: 0, ...given }) });
    const usage = async () => (await me.call('getUserUsage')).used / picture.length;
    expect(await me.call('getUserUsage')).toEqual({ used: 0, limit: 2 * picture.length });
    const { id } = await upload(app, me, picture, { effect_param_id: 0 });
    expect(await usage()).toBe(1);
    const pending = await ask();
    expect(await refusal(ask())).toMatchObject({
      code: 'storageLimitReached',
      status: 507,
      message: expect.stringContaining('album'),
    });
    // Retrying the same upload takes no additional space.
    await ask({ id: pending.media_id });
    expect(await usage()).toBe(2);
    await me.call('deleteMedia', { input: { id } });
    expect(await usage()).toBe(1);
    await ask();
    expect((await refusal(ask())).code).toBe('storageLimitReached');

    const other = app.client({ token: (await app.member()).token });
    await other.call('requestUploadMedia', { input: await requestFor(other, picture) });
  });
});
