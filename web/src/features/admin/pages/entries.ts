import {
  ENTRY_TEXTS,
  type EntryKind,
  type FaqEntry,
  firstText,
  type Language,
  type ManagedEntry,
  missingLanguages,
  type Place,
  type Translated,
} from '@framelift/contract';
import type { setEntry } from '../../../api/admin.ts';

/** The texts of an entry by the names of its fields. */
export type EntryTexts = Record<string, Record<Language, string>>;
export type EntryInput = Parameters<typeof setEntry>[0];

/** Where the entries of a kind are administered. */
export const pathOfKind = (kind: EntryKind) => (kind === 'faq' ? '/admin/faq' : '/admin/locations');

/** Returns the names of the texts of a kind, in the order of its form. */
export const fieldsOf = (kind: EntryKind): readonly string[] => [
  ...ENTRY_TEXTS[kind].required,
  ...ENTRY_TEXTS[kind].optional,
];

export function textsOf(entry: ManagedEntry): EntryTexts {
  return Object.fromEntries(
    fieldsOf(entry.kind).map((field) => [field, { ...(entry as unknown as EntryTexts)[field] }]),
  ) as EntryTexts;
}

/** Returns an entry as the call that changes it takes it. */
export function entryInput(entry: ManagedEntry): EntryInput {
  const { changed_at: _at, changed_by: _by, ...input } = entry;
  return input;
}

/** Returns the languages in which a required text of an entry is missing. */
export function missingIn(kind: EntryKind, texts: EntryTexts): Language[] {
  const { empty, half } = missingLanguages(ENTRY_TEXTS[kind].required.map((field) => trimmed(texts[field])));
  return [...empty, ...half];
}

const trimmed = (text: Translated = {}): Translated =>
  Object.fromEntries(Object.entries(text).map(([language, one]) => [language, one.trim()]));

/** Returns the name of an entry in a language, or in one that it has. */
export function nameOf(entry: ManagedEntry, language: Language): string {
  return firstText(entry.kind === 'faq' ? entry.question : entry.name, language)?.text ?? '';
}

const shown = (text: Translated | undefined, language: Language) => firstText(trimmed(text), language);

/** Returns a question as visitors of a language get it. */
export function faqPreview(texts: EntryTexts, language: Language): FaqEntry {
  const nothing = { text: '…', language };
  const { question, answer } = texts;
  return {
    id: 'preview',
    question: shown(question, language) ?? nothing,
    answer: shown(answer, language) ?? nothing,
  };
}

/** Returns a place as visitors of a language get it. */
export function placePreview(texts: EntryTexts, mapUrl: string | null, language: Language): Place {
  const nothing = { text: '…', language };
  const { name, address, hours, note } = texts;
  return {
    id: 'preview',
    name: shown(name, language) ?? nothing,
    address: shown(address, language) ?? nothing,
    hours: shown(hours, language),
    note: shown(note, language),
    map_url: mapUrl,
  };
}
