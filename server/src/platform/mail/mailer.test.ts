import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderEmail } from './email-templates.ts';
import type { Mailer, OutgoingMail } from './mailer.ts';
import { createOutbox } from './outbox.ts';
import { readEmail } from './read-email.ts';
import { createSmtp } from './smtp.ts';

interface Way {
  readonly mailer: Mailer;
  /** Emails in the order of arrival. */
  arrived(): Promise<Buffer[]>;
  /** Recipients that the mail server was given, in the same order. */
  recipients?(): string[];
  /** Names that this server gave itself, in the same order. */
  greetings?(): string[];
  close(): Promise<void>;
}

const FROM = 'Framelift <no-reply@example.com>';
const LINK = 'http://localhost:3000/confirmation?code=a_b-c&email=mia%40example.com';
const mailOf = (id: string, changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id,
  to: 'mia@example.com',
  date: new Date(`2026-03-04T05:06:0${id.at(-1)}.789Z`),
  ...renderEmail({ template: 'confirmation', data: { name: '美香', link: LINK } }, 'ja'),
  ...changes,
});
const uuid = (last: number) => `11111111-1111-4111-8111-11111111111${last}`;

async function openOutbox(): Promise<Way> {
  const folder = await mkdtemp(join(tmpdir(), 'framelift-outbox-'));
  const mailer = createOutbox(join(folder, 'outbox'), FROM);
  return {
    mailer,
    async arrived() {
      const names = await readdir(join(folder, 'outbox')).catch(() => []);
      return Promise.all(names.sort().map((name) => readFile(join(folder, 'outbox', name))));
    },
    async close() {
      await mailer.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openSmtp(): Promise<Way> {
  const mails: Buffer[] = [];
  const recipients: string[] = [];
  const greetings: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    // This server otherwise refuses a quoted local part with such dots, which RFC 5321 allows.
    lenientAddressParsing: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'user' && password === 'pass word' ? done(null, { user: username }) : done(new Error('no')),
    onRcptTo({ address }, { hostNameAppearsAs }, done) {
      greetings.push(String(hostNameAppearsAs));
      recipients.push(address);
      done();
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const mailer = createSmtp(`smtp://user:pass%20word@127.0.0.1:${port}`, FROM);
  return {
    mailer,
    arrived: async () => mails,
    recipients: () => recipients,
    greetings: () => greetings,
    async close() {
      await mailer.close();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

describe.each([
  ['outbox', openOutbox],
  ['SMTP', openSmtp],
])('mails through the %s', (_name, open) => {
  let way: Way;
  beforeAll(async () => {
    way = await open();
  });
  afterAll(() => way.close());

  it("arrive whole in every language, as text and as HTML, with a Message-ID of the sender's host [W29]", async () => {
    await way.mailer.send(mailOf(uuid(1)));
    const [raw = Buffer.alloc(0)] = await way.arrived();
    const mail = await readEmail(raw);
    expect(mail).toMatchObject({
      from: FROM,
      to: 'mia@example.com',
      subject: 'メールアドレスの確認をお願いします',
    });
    expect(new Date(mail.date).toISOString()).toBe('2026-03-04T05:06:01.000Z');
    expect(mail.text).toContain('美香');
    expect(mail.text.split('\n')).toContain(LINK);
    expect(mail.html).toContain(`href="${LINK.replace('&', '&#38;')}"`);
    expect(raw.toString('latin1')).toContain(`Message-ID: <${uuid(1)}@example.com>`);
    expect(raw.toString('latin1')).toContain('Auto-Submitted: auto-generated');
    if (way.greetings) expect(way.greetings()).toEqual(['example.com']);
  });

  it('cannot be given further headers or readers through a name or an address', async () => {
    const subject = 'Hello\r\nBcc: thief@example.com';
    await way.mailer.send(mailOf(uuid(2), { subject, to: 'a@example.com' }));
    const raw = (await way.arrived()).at(-1)?.toString('latin1') ?? '';
    expect(raw).toContain('To: a@example.com\r\n');
    expect(raw).not.toMatch(/^bcc:/im);
  });

  it('keep long lines and lines of a single dot', async () => {
    const text = `${'長い行 '.repeat(400)}\n.\n..\nend\n`;
    await way.mailer.send(mailOf(uuid(3), { text }));
    const { text: read } = await readEmail((await way.arrived()).at(-1) ?? Buffer.alloc(0));
    expect(read.trimEnd()).toBe(text.trimEnd());
  });

  it('reach addresses whose dots are allowed by carriers only, written as RFC 5321 wants them [W23]', async () => {
    await way.mailer.send(mailOf(uuid(4), { to: 'foo..bar.@docomo.ne.jp' }));
    const raw = (await way.arrived()).at(-1) ?? Buffer.alloc(0);
    expect(raw.toString('latin1')).toContain('To: <"foo..bar."@docomo.ne.jp>\r\n');
    expect((await readEmail(raw)).to).toBe('foo..bar.@docomo.ne.jp');
    if (way.recipients) expect(way.recipients().at(-1)).toBe('"foo..bar."@docomo.ne.jp');
  });
});

describe('the outbox', () => {
  it('puts a mail that is sent again in the place of its first file, and sorts by time', async () => {
    const way = await openOutbox();
    await way.mailer.send(mailOf(uuid(2), { subject: 'second' }));
    await way.mailer.send(mailOf(uuid(1), { subject: 'first' }));
    await way.mailer.send(mailOf(uuid(2), { subject: 'second again' }));
    const read = await Promise.all((await way.arrived()).map(readEmail));
    expect(read.map(({ subject }) => subject)).toEqual(['first', 'second again']);
    await way.close();
  });
});

describe('SMTP', () => {
  it('rejects when the server refuses or is away, so that the job tries again', async () => {
    const away = createSmtp('smtp://127.0.0.1:1', FROM);
    await expect(away.send(mailOf(uuid(1)))).rejects.toThrow();
    await away.close();
    const refusing: Server = createServer((socket) => socket.end('554 go away\r\n'));
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const { port } = refusing.address() as { port: number };
    const refused = createSmtp(`smtp://127.0.0.1:${port}`, FROM);
    await expect(refused.send(mailOf(uuid(1)))).rejects.toThrow();
    await refused.close();
    await new Promise((resolve) => refusing.close(resolve));
  });
});
