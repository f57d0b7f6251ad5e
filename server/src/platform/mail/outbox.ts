import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mailer, OutgoingMail } from './mailer.ts';
import { toMessage } from './message.ts';

/**
 * Stores each email as an RFC 5322 file in a local folder, with names that sort by time. An email that is sent again
 * replaces its file.
 */
export function createOutbox(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(mail, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, fileName(mail));
      const file = await open(`${path}.part`, 'w', 0o600);
      try {
        await file.writeFile(message as Buffer);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.part`, path);
    },
    async erase(ids) {
      const names = await readdir(folder).catch(() => []);
      const erased = new Set(ids);
      for (const name of names) if (erased.has(idOf(name))) await rm(join(folder, name), { force: true });
    },
    async close() {
      transport.close();
    },
  };
}

function fileName(mail: OutgoingMail): string {
  return `${mail.date.toISOString().replaceAll(':', '-')}_${mail.id}.eml`;
}

/** Returns the id in the name of a file, or ''. Also of a file that a killed process left unfinished. */
function idOf(name: string): string {
  return /_([0-9a-f-]{36})\.eml(?:\.part)?$/.exec(name)?.[1] ?? '';
}
