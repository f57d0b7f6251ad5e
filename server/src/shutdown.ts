import type { Log } from './platform/log.ts';

/** Closes registered parts in reverse order. */
export interface Shutdown {
  add(name: string, close: () => Promise<void> | void): void;
  /** Closes everything once. Failures are logged and do not prevent closing the others. */
  run(): Promise<void>;
}

export function createShutdown(log: Log): Shutdown {
  const parts: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  return {
    add(name, close) {
      parts.push({ name, close });
    },
    async run() {
      for (let part = parts.pop(); part; part = parts.pop()) {
        try {
          await part.close();
        } catch (error) {
          log.error({ err: error, part: part.name }, 'A part could not be closed');
        }
      }
    },
  };
}
