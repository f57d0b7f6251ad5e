import type { Log } from './platform/log.ts';

/** What was opened, to be closed in reverse. */
export interface Shutdown {
  add(name: string, close: () => Promise<void> | void): void;
  /** Closes everything once, the last opened first. One that fails is logged and keeps none of the others open. */
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
