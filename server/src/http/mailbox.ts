import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '@framelift/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Html, html } from '../platform/html.ts';
import { type ReadEmail, readEmail } from '../platform/mail/read-email.ts';
import { page } from './page.ts';

const PATH = '/sandbox/mailbox';
/** File names of the outbox; no other files are served. */
const FILE = /^[\w-]+(?:\.\d+)?Z_[0-9a-f-]{36}\.eml$/;
const SHOWN = 50;

/**
 * Shows the emails of the built-in outbox, for trying Framelift locally. It contains everybody's emails, so only a
 * browser on this machine is served.
 */
export function mountMailbox(app: FastifyInstance, outbox: string, publicUrl: string): void {
  const ownHosts = new Set(['localhost', '127.0.0.1', '[::1]', new URL(publicUrl).hostname]);

  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!isLocal(request, ownHosts)) throw new ApiError('notFound');
      reply.header('cache-control', 'no-store');
    });

    scope.get(PATH, async (_request, reply) => {
      const files = await listMails(outbox);
      const mails = await Promise.all(
        files.slice(0, SHOWN).map(async (file) => mailCard(file, await readEmail(await readFile(join(outbox, file))))),
      );
      reply.type('text/html; charset=utf-8');
      return page('Mailbox of this machine', mailboxBody(mails, files.length), { refreshSeconds: 5 });
    });

    scope.get<{ Params: { file: string } }>(`${PATH}/:file`, async (request, reply) => {
      const mail = await findMail(outbox, request.params.file);
      reply.type('text/html; charset=utf-8');
      return page(
        mail.subject,
        html`<p><a href="${PATH}">All mails</a></p>
<div class="card"><table>
<tr><th>From</th><td>${mail.from}</td></tr><tr><th>To</th><td>${mail.to}</td></tr><tr><th>Date</th><td>${mail.date}</td></tr>
</table></div>
<div class="card"><pre>${linked(mail.text)}</pre></div>
<h2>As HTML</h2>
<iframe title="The mail as HTML" sandbox="allow-top-navigation-by-user-activation" src="${PATH}/${request.params.file}/html"></iframe>`,
      );
    });

    scope.get<{ Params: { file: string } }>(`${PATH}/:file/html`, async (request, reply) => {
      const mail = await findMail(outbox, request.params.file);
      // An email can only be framed by this page, and can neither run nor load anything.
      reply.header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation",
      );
      reply.header('x-frame-options', 'SAMEORIGIN').type('text/html; charset=utf-8');
      return mail.html.replace('<head>', '<head><base target="_top">');
    });
  });
}

/**
 * Returns whether a request comes from this machine, without a proxy, for one of its own names (against DNS rebinding).
 */
function isLocal(request: FastifyRequest, ownHosts: ReadonlySet<string>): boolean {
  const loopback = (ip: string | undefined) => /^(?:::1|(?:::ffff:)?127(?:\.\d+){3})$/.test(ip ?? '');
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers['forwarded'];
  const host = `http://${request.headers.host ?? 'invalid'}`;
  const isOwn = URL.canParse(host) && ownHosts.has(new URL(host).hostname);
  return loopback(request.raw.socket.remoteAddress) && forwarded === undefined && isOwn;
}

async function listMails(outbox: string): Promise<string[]> {
  const files = await readdir(outbox).catch(() => []);
  return files
    .filter((file) => FILE.test(file))
    .sort()
    .reverse();
}

async function findMail(outbox: string, file: string): Promise<ReadEmail> {
  const raw = FILE.test(file) ? await readFile(join(outbox, file)).catch(() => null) : null;
  if (!raw) throw new ApiError('notFound');
  return readEmail(raw);
}

function mailboxBody(mails: readonly Html[], count: number): Html {
  if (count === 0) return html`<p class="soft">No mail yet. This page looks again by itself every 5 seconds.</p>`;
  const note = count > mails.length ? `The newest ${mails.length} of ${count} mails.` : 'Newest first.';
  return html`<p class="soft">${note} Mails stay on this machine while no SMTP_URL is set.</p>${mails}`;
}

function mailCard(file: string, mail: ReadEmail): Html {
  return html`<article class="card"><h2><a href="${PATH}/${file}">${mail.subject}</a></h2>
<p class="soft">To ${mail.to} · ${mail.date}</p><pre>${linked(mail.text)}</pre></article>`;
}

/** Converts URLs in plain text to links. */
function linked(text: string): readonly Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, position) => (position % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}
