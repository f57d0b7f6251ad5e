import { eq } from 'drizzle-orm';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { mails } from '../db/schema.ts';
import { mailJobs } from './mail.jobs.ts';
import { sendEmail } from './send-email.ts';
import { createSmtp } from './smtp.ts';

describe('sending mails', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());

  const email = { template: 'confirmation', data: { name: 'Mia', link: 'https://secret.example/' } } as const;
  let userId: string;
  beforeAll(async () => {
    ({ userId } = await app.guest());
  });
  const rowOf = async (to: string) =>
    (await app.context.db.select().from(mails).where(eq(mails.toAddress, to)))[0] ?? expect.fail('no row');

  it('sends nothing when the transaction that posted it fails', async () => {
    const failed = app.context.db.transaction(async (tx) => {
      await sendEmail(app.context, tx, { userId, to: 'undone@example.com', language: 'en', ...email });
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    await app.context.db.transaction((tx) =>
      sendEmail(app.context, tx, { userId, to: 'done@example.com', language: 'en', ...email }),
    );
    await app.mailTo('done@example.com');
    expect((await app.mails()).map(({ to }) => to)).toEqual(['done@example.com']);
  });

  it('tries again after a failure, unless the mail was refused, and once given up forgets what it said [S15]', async () => {
    // A mail server that rejects the first attempt and accepts the second, and knows not every recipient.
    let tries = 0;
    const answer = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        done(
          /^unknown@/.test(address)
            ? answer(550, 'No such user')
            : /^grey@/.test(address)
              ? answer(451, 'Later')
              : null,
        ),
      onData: (stream, session, done) => {
        stream.resume();
        const [to] = session.envelope.rcptTo;
        stream.on('end', () =>
          done(/^spam@/.test(to?.address ?? '') ? answer(554, 'Spam') : ++tries === 1 ? answer(452, 'full') : null),
        );
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as { port: number };
    const mailer = createSmtp(`smtp://127.0.0.1:${port}`, 'a@b.co');
    // The retries of the queue have their own tests; here its handler is called directly.
    const context: Context = { ...app.context, mailer, jobs: { enqueue: async () => {} } };
    const [handler] = mailJobs;
    const run = (mailId: string) =>
      handler?.run(context, { mailId }, { id: mailId, attempt: 1, signal: new AbortController().signal });
    const post = async (to: string) => {
      await context.db.transaction((tx) => sendEmail(context, tx, { userId, to, language: 'en', ...email }));
      return (await rowOf(to)).id;
    };

    const id = await post('retried@example.com');
    await expect(run(id)).rejects.toThrow('full');
    expect(await rowOf('retried@example.com')).toMatchObject({
      state: 'waiting',
      attempts: 1,
      lastError: expect.stringContaining('full'),
      data: email.data,
    });
    await run(id);
    expect(await rowOf('retried@example.com')).toMatchObject({
      state: 'sent',
      attempts: 2,
      lastError: null,
      data: null,
    });
    await run(id);
    expect(tries).toBe(2);

    for (const [to, text] of [
      ['unknown@example.com', 'No such user'],
      ['spam@example.com', 'Spam'],
    ] as const) {
      const refused = await post(to);
      await run(refused);
      expect(await rowOf(to)).toMatchObject({
        state: 'failed',
        attempts: 1,
        lastError: expect.stringContaining(text),
        data: null,
      });
    }
    const { client: admin } = await app.admin();
    expect((await admin.call('siteStatus')).mails).toMatchObject({
      failed: 2,
      lastError: expect.stringContaining('Spam'),
    });
    await expect(run(await post('grey@example.com'))).rejects.toThrow('Later');
    expect(await rowOf('grey@example.com')).toMatchObject({ state: 'waiting', attempts: 1 });

    const lost = await post('lost@example.com');
    await handler?.dead?.(context, { mailId: lost });
    expect(await rowOf('lost@example.com')).toMatchObject({ state: 'failed', data: null });
    await run(lost);
    expect(tries).toBe(2);
    await mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });
});
