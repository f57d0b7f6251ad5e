import { DrizzleQueryError } from 'drizzle-orm/errors';
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type Log = Logger;

/** Values under these names are redacted, at the top of a logged object and one level down. */
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

/** Creates a log that writes one line of JSON per event, or plain text to a terminal. */
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

/** Returns the message of an error, without the parameters of a failed query (addresses, hashes, links). */
function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  return error instanceof Error ? error.message : String(error);
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = messageOf(error);
  return { type: error.name, message, stack: stackOf(error) };
}

/** Omits the first lines of the stack, which repeat the original message with its values. */
function stackOf(error: unknown): string {
  const { name, stack, cause } = error instanceof Error ? error : {};
  const frames = stack?.match(/^ {4}at .*$/gm) ?? [];
  const causes = cause === undefined ? [] : [`caused by: ${stackOf(cause)}`];
  return [`${name ?? 'Thrown'}: ${messageOf(error)}`, ...frames, ...causes].join('\n');
}

function standardOutput(): DestinationStream {
  return process.stdout.isTTY ? { write: (line) => process.stdout.write(plainLine(line)) } : process.stdout;
}

/** Formats a JSON line for people. */
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
