import type { Config } from './config.ts';
import type { FirstAccount, FirstAccounts } from './domain/account/first-accounts.ts';

/**
 * What the person who started the server reads. Goes to the terminal, never through the log: passwords of the first
 * accounts are shown here once and kept nowhere.
 */
export function greeting(config: Config, version: string, outbox: string, first: FirstAccounts): string {
  const lines = [
    `Framelift ${version}`,
    ...(config.role === 'worker' ? ['  Working on jobs; no web pages here'] : [`  Open    ${config.publicUrl}`]),
    `  Mails   ${mailsLine(config, outbox)}`,
  ];
  if (first.admin || first.demo) {
    lines.push('', '  First start. Write these down, they are shown only now:');
    if (first.admin) lines.push(accountLine('Admin', first.admin));
    if (first.demo) lines.push(accountLine('Member', first.demo));
  }
  return `${lines.join('\n')}\n`;
}

function mailsLine(config: Config, outbox: string): string {
  if (config.mail.smtpUrl) return `go out through ${new URL(config.mail.smtpUrl).host}`;
  const page = config.sandbox && config.role !== 'worker' ? `, shown at ${config.publicUrl}/sandbox/mailbox` : '';
  return `stay in ${outbox}${page}`;
}

function accountLine(name: string, { email, password }: FirstAccount): string {
  return `    ${name.padEnd(7)} ${email}   password ${password}`;
}
