import { DrizzleQueryError } from 'drizzle-orm/errors';
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type Log = Logger;

/** Wherever one of these names turns up in a logged object, one level deep or at the top, its value is blanked. */
const SECRETS = [
  'token',
  'password',
  'password_confirmation',
  'old_password',
  'newPassword',
  'pin_code',
  'recaptcha',
  'guestId',
  'code',
  'authorization',
  'cookie',
  'secret',
  'signature',
];

/** One line of JSON for each event; for a person at a terminal one line of plain words. */
export function createLog(level: LogLevel, destination: DestinationStream = standardOutput()): Log {
  return pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.headers.${name}`]), censor: '[redacted]' },
    },
    destination,
  );
}

/** What went wrong, without the values that a failed query was asked with: addresses, hashes, links of mails. */
function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  return error instanceof Error ? error.message : String(error);
}

/** An error and what caused it, as they are logged. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = messageOf(error);
  return { type: error.name, message, stack: stackOf(error) };
}

/** Without the stack's own first lines, which are the message as it was made, values included. */
function stackOf(error: unknown): string {
  const { name, stack, cause } = error instanceof Error ? error : {};
  const frames = stack?.match(/^ {4}at .*$/gm) ?? [];
  const causes = cause === undefined ? [] : [`caused by: ${stackOf(cause)}`];
  return [`${name ?? 'Thrown'}: ${messageOf(error)}`, ...frames, ...causes].join('\n');
}

function standardOutput(): DestinationStream {
  return process.stdout.isTTY ? { write: (line) => process.stdout.write(plainLine(line)) } : process.stdout;
}

/** A JSON line as a person reads it; what is not of ours passes unchanged. */
export function plainLine(line: string): string {
  const { time, level, msg, err, ...rest } = JSON.parse(line) as {
    time: number;
    level: number;
    msg?: string;
    err?: { stack?: string; message?: string };
  };
  const clock = new Date(time).toTimeString().slice(0, 8);
  const mark = level >= 50 ? ' ERROR' : level >= 40 ? ' WARN' : '';
  const details = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const stack = err ? `\n${err.stack ?? err.message ?? ''}` : '';
  return `${[`${clock}${mark}`, msg ?? '', ...details].join(' ')}${stack}\n`;
}
