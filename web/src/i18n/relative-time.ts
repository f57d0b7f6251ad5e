import { htmlLangOf, type Language } from '@framelift/contract';
import { spacedAs } from './format.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats elapsed time in days, hours or minutes; null for less than a minute. */
export function relativeTime(time: string, now: number, language: Language): string | null {
  const past = now - Date.parse(time);
  if (past < MINUTE) return null;
  const [unit, length] =
    past >= DAY ? (['day', DAY] as const) : past >= HOUR ? (['hour', HOUR] as const) : (['minute', MINUTE] as const);
  const text = new Intl.RelativeTimeFormat(htmlLangOf(language)).format(-Math.floor(past / length), unit);
  return spacedAs(language, text);
}
