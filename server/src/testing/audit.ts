import type { Client } from '@framelift/contract';

/** Returns what the log of the administration says was done, oldest first. */
export async function auditActions(admin: Client): Promise<string[]> {
  return (await admin.call('auditLog', { input: {} })).data.map(({ action }) => action).reverse();
}
