import type { Config } from './config.ts';
import type { FirstAccount, FirstAccounts } from './domain/user/first-accounts.ts';

/** Returns lines that tell the operator where the server is reachable and where its emails go. */
export function startupBanner(config: Config, version: string, outbox: string): string {
  const address = config.role === 'worker' ? '  Working on jobs; no web pages here' : `  Open    ${config.publicUrl}`;
  return `${[`Framelift ${version}`, address, `  Mails   ${mailsLine(config, outbox)}`].join('\n')}\n`;
}

/**
 * Returns the passwords that the first start generated, or null. Written to the terminal and never to the log, and
 * shown only once.
 */
export function firstAccountsNotice({ admin, demo }: FirstAccounts): string | null {
  if (!admin && !demo) return null;
  const lines = ['First start. Write these down, they are shown only now:'];
  if (admin) lines.push(accountLine('Admin', admin));
  if (demo) lines.push(accountLine('Member', demo));
  return `${lines.join('\n')}\n\n`;
}

function mailsLine(config: Config, outbox: string): string {
  if (config.mail.smtpUrl) return `go out through ${new URL(config.mail.smtpUrl).host}`;
  const page = config.sandbox && config.role !== 'worker' ? `, shown at ${config.publicUrl}/sandbox/mailbox` : '';
  return `stay in ${outbox}${page}`;
}

function accountLine(name: string, { email, password }: FirstAccount): string {
  return `  ${name.padEnd(7)} ${email}   password ${password}`;
}
