import { type FaqEntry, firstText, type Language, type Place } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type EntryRow, listShownEntries } from './entry.sql.ts';

/** Returns a text for a reader, empty where nobody has written one. */
const told = ({ texts }: EntryRow, field: string, language: Language) =>
  firstText(texts[field] ?? {}, language) ?? { text: '', language };
const toldOrNull = ({ texts }: EntryRow, field: string, language: Language) => firstText(texts[field] ?? {}, language);

/** Returns the questions that are shown, in the reader's language where there is one. */
export async function listFaq({ db }: Context, { language }: Actor): Promise<FaqEntry[]> {
  return (await listShownEntries(db, 'faq')).map((row) => ({
    id: row.id,
    question: told(row, 'question', language),
    answer: told(row, 'answer', language),
  }));
}

/** Returns the places that are shown, in the reader's language where there is one. */
export async function listLocations({ db }: Context, { language }: Actor): Promise<Place[]> {
  return (await listShownEntries(db, 'location')).map((row) => ({
    id: row.id,
    name: told(row, 'name', language),
    address: told(row, 'address', language),
    hours: toldOrNull(row, 'hours', language),
    note: toldOrNull(row, 'note', language),
    map_url: row.mapUrl,
  }));
}
