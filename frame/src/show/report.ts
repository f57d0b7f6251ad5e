import type { FrameReport } from '@framelift/contract';

export type Problem = NonNullable<FrameReport['problems']>[number];
type Showing = NonNullable<FrameReport['showing']>;

/** What the next heartbeat tells the server about the show. */
export interface Report {
  /** Notes a problem; the same one of the same item is reported once until `forget`. */
  problem(item: string | null, code: Problem['code'], error: unknown): void;
  /** Lets problems be reported again, e.g. of another playlist. */
  forget(): void;
  showing(item: string | null): void;
  /** Notes the version of the playlist whose files are all on this device. */
  complete(version: string | null): void;
  /** Returns what has to be sent, and forgets it with `sent`. */
  take(): { readonly body: Omit<FrameReport, 'version' | 'screen'>; sent(): void };
}

/** Upper limits of the contract for one heartbeat. */
const MOST = { problems: 20, shown: 200, detail: 200 };

/**
 * @param isoNow returns the time as the server writes it
 * @param news called when the owner waits for a report: all files have arrived, or an item is shown for the first time
 */
export function createReport(isoNow: () => string, news: () => void): Report {
  let problems: Problem[] = [];
  let shown: string[] = [];
  let showing: Showing | null = null;
  let playlist: string | null = null;
  const told = new Set<string>();
  const seen = new Set<string>();
  return {
    problem(item, code, error) {
      const key = `${item} ${code}`;
      if (told.has(key)) return;
      told.add(key);
      const detail = (error instanceof Error ? error.message : String(error)).slice(0, MOST.detail);
      problems = [...problems, { item, code, detail }].slice(-MOST.problems);
    },
    forget() {
      told.clear();
      seen.clear();
    },
    showing(item) {
      showing = item === null ? null : { item, since: isoNow() };
      if (item === null || shown[shown.length - 1] === item) return;
      shown = [...shown, item].slice(-MOST.shown);
      if (seen.has(item)) return;
      seen.add(item);
      news();
    },
    complete(version) {
      if (version === playlist) return;
      playlist = version;
      if (version !== null) news();
    },
    take() {
      const sending = { problems, shown };
      return {
        body: { playlist, showing, ...sending },
        sent() {
          problems = problems.filter((problem) => !sending.problems.includes(problem));
          shown = shown.slice(sending.shown.length);
        },
      };
    },
  };
}
