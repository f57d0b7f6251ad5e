import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { describeOnBothDatabases } from '../../testing/database.ts';
import { ended, smallJpeg, upload } from '../../testing/uploads.ts';

describeOnBothDatabases('converting', (openDatabase) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openDatabase());
  });
  afterAll(() => app.close());

  test('smoke', async () => {
    const { token } = await app.member();
    const client = app.client({ token });
    const media = await upload(app, client, await smallJpeg());
    console.log(media);
    const done = await ended(client, media.id);
    console.log(done);
    const links = await client.call('getMediaLink', { input: { id: media.id } });
    const file = await fetch(new URL(links[0]?.url ?? '', app.url));
    console.log(file.status, Object.fromEntries(file.headers), (await file.arrayBuffer()).byteLength);
    expect(done.status).toBe(1);
  });
});
