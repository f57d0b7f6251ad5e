import { fetchedBytes, installedModels } from '@framelift/engine';
import type { Config } from './config.ts';
import type { FirstAccount, FirstAccounts } from './domain/user/first-accounts.ts';

/** Returns lines that tell the operator where the server is reachable, where its emails go, and what is fetched. */
export function startupBanner(
  config: Config,
  version: string,
  { outbox, models }: { readonly outbox: string; readonly models: string },
): string {
  const address = config.role === 'worker' ? '  Working on jobs; no web pages here' : `  Open    ${config.publicUrl}`;
  const lines = [`Framelift ${version}`, address, `  Mails   ${mailsLine(config, outbox)}`];
  return `${[...lines, `  Depth   ${depthLine(config, models)}`].join('\n')}\n`;
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

function depthLine({ depth: { model }, role }: Config, folder: string): string {
  if (!model) return 'basic';
  const { id, name, licence } = model;
  if (installedModels(folder, id).length > 0) return `${name} (${licence})`;
  const size = Math.round(fetchedBytes(model) / 1e6);
  const how = role === 'web' ? 'is fetched by a worker' : 'is fetched in the background';
  return `${name} (${licence}, ${size} MB) ${how}, basic until then; DEPTH_MODEL=basic keeps it off`;
}

function accountLine(name: string, { email, password }: FirstAccount): string {
  return `  ${name.padEnd(7)} ${email}   password ${password}`;
}
