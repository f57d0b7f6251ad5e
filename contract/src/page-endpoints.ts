import { z } from 'zod';
import { PEOPLE } from './actors.ts';
import { defineEndpoint } from './endpoint.ts';
import { languageCode } from './entities.ts';
import { id, time, timeAnywhere, titleText } from './fields.ts';
import { byLanguage, FALLBACK_LANGUAGE, LANGUAGES, type Language, LIMITS } from './limits.ts';

/** A text of operators with which any language may do without; at least one has it where it is required. */
export type Translated = { readonly [language in Language]?: string };

/** Returns the text that visitors read, and its language: their own, else English, else any. Null where there is none. */
export function firstText(text: Translated, language: Language): { text: string; language: Language } | null {
  const order: readonly Language[] = [language, FALLBACK_LANGUAGE, ...LANGUAGES.map(({ code }) => code)];
  const found = order.find((code) => text[code]);
  return found ? { text: text[found] ?? '', language: found } : null;
}

const paragraph = z.string().trim().max(LIMITS.pages.textLength);
const anyTitle = z.strictObject(byLanguage(() => titleText));
const anyParagraph = z.strictObject(byLanguage(() => paragraph));

/** A question with its answer, or a place, in every language. Where the one has a text in a language, so has the other. */
const faqTexts = { question: anyTitle, answer: anyParagraph };
const locationTexts = { name: anyTitle, address: anyTitle, hours: anyTitle, note: anyParagraph };

/** The texts without which an entry is not shown in a language, by the kind of entry. */
export const ENTRY_TEXTS = {
  faq: { required: ['question', 'answer'], optional: [] },
  location: { required: ['name', 'address'], optional: ['hours', 'note'] },
} as const;
export const ENTRY_KINDS = ['faq', 'location'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Returns the languages in which all of these texts are missing, and those in which only some are. */
export function missingLanguages(texts: readonly Translated[]): { empty: Language[]; half: Language[] } {
  const codes = LANGUAGES.map(({ code }) => code);
  const has = (code: Language) => texts.filter((text) => text[code]).length;
  return {
    empty: codes.filter((code) => has(code) === 0),
    half: codes.filter((code) => has(code) > 0 && has(code) < texts.length),
  };
}

/** Reports the languages in which a required text is missing, and an entry without any language. */
function checkLanguages(one: Record<string, unknown>, names: readonly string[], addIssue: (issue: Issue) => void) {
  const { empty, half } = missingLanguages(names.map((name) => one[name] as Translated));
  for (const code of half) {
    const path = names.filter((name) => !(one[name] as Translated)[code]);
    addIssue({ code: 'custom', path: [path[0] ?? '', code], message: 'is missing in this language' });
  }
  if (empty.length === LANGUAGES.length)
    addIssue({ code: 'custom', path: [names[0] ?? ''], message: 'must be there in one language at least' });
}
type Issue = { code: 'custom'; path: string[]; message: string };

const webAddress = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain })
  .max(2000)
  .refine((text) => URL.canParse(text) && !new URL(text).username, 'must not contain a name or password');

const written = z.strictObject({
  text: z.string(),
  /** Language of the text: the reader's own, or another one where that is missing. */
  language: languageCode,
});

const faqEntry = z.strictObject({
  id,
  question: written,
  /** In Markdown, as far as the web app shows it: paragraphs, lists, emphasis, links. */
  answer: written,
});
export type FaqEntry = z.output<typeof faqEntry>;

const place = z.strictObject({
  id,
  name: written,
  address: written,
  hours: written.nullable(),
  /** In Markdown, like an answer. */
  note: written.nullable(),
  /** Address of a map; null where there is none but that of a search for the address. */
  map_url: z.string().nullable(),
});
export type Place = z.output<typeof place>;

const managed = {
  id,
  /** Grows with every change; sent back with the next one. */
  revision: z.int(),
  is_active: z.boolean(),
  changed_at: time,
  /** Null for what came with the program, and once the account is gone. */
  changed_by: z.string().nullable(),
};
export const managedEntry = z.discriminatedUnion('kind', [
  z.strictObject({ ...managed, kind: z.literal('faq'), ...faqTexts }),
  z.strictObject({ ...managed, kind: z.literal('location'), ...locationTexts, map_url: z.string().nullable() }),
]);
export type ManagedEntry = z.output<typeof managedEntry>;

export const LEGAL_KINDS = ['terms', 'privacy'] as const;
export type LegalKind = (typeof LEGAL_KINDS)[number];

/** What visitors read: a text of the operators, or null for the one that the web app brings. */
const legalText = z.strictObject({
  /** In Markdown. */
  content: z.string().nullable(),
  /** Null before an operator has published any. */
  in_force_from: time.nullable(),
  /** Null for the one that is in force now. */
  in_force_until: time.nullable(),
  /** Versions that were in force before now, the latest first. */
  earlier: z.array(z.strictObject({ in_force_from: time.nullable(), in_force_until: time })),
});
export type LegalText = z.output<typeof legalText>;

/** A version of a legal text in one language. None is ever changed or removed. */
const legalVersion = z.strictObject({
  id,
  kind: z.enum(LEGAL_KINDS),
  language: languageCode,
  /** From 1 in each language. */
  number: z.int(),
  /** Null for the text that the web app brings. */
  content: z.string().nullable(),
  in_force_from: time,
  state: z.enum(['coming', 'inForce', 'earlier', 'withdrawn']),
  published_at: time,
  published_by: z.string().nullable(),
});
export type LegalVersion = z.output<typeof legalVersion>;

const given = { id: id.nullable(), revision: z.int().min(0), is_active: z.boolean().default(true) };
const byId = z.strictObject({ id });

/** What operators write for the public pages: questions with answers, and places. */
export const pageApi = {
  faq: defineEndpoint({
    name: 'faq',
    method: 'GET',
    path: '/faq',
    summary: 'Lists the questions with their answers, in the language of the request where there is one.',
    actors: PEOPLE,
    output: z.array(faqEntry),
  }),
  locations: defineEndpoint({
    name: 'locations',
    method: 'GET',
    path: '/locations',
    summary: 'Lists the places where frames are on display, in the language of the request where there is one.',
    actors: PEOPLE,
    output: z.array(place),
  }),
  legalText: defineEndpoint({
    name: 'legalText',
    method: 'GET',
    path: '/legalText/{kind}',
    params: z.strictObject({ kind: z.enum(LEGAL_KINDS) }),
    summary:
      'Returns the terms or the privacy policy that are in force now, or were at an earlier time, in the language of the request.',
    actors: PEOPLE,
    input: z.strictObject({ at: timeAnywhere.optional() }),
    output: legalText,
  }),
  legalVersions: defineEndpoint({
    name: 'legalVersions',
    method: 'GET',
    path: '/legalVersions',
    summary: 'Lists all versions of a legal text in every language, the latest first.',
    actors: ['admin'],
    input: z.strictObject({ kind: z.enum(LEGAL_KINDS) }),
    output: z.array(legalVersion),
  }),
  publishLegalText: defineEndpoint({
    name: 'publishLegalText',
    method: 'POST',
    path: '/publishLegalText',
    summary:
      'Publishes a version of a legal text in one language, in force from a time on; a past one means now. `content` null goes back to the text that the web app brings. `after` is the number of the last version, 0 without one: what somebody else has published since is not passed over.',
    actors: ['admin'],
    input: z.strictObject({
      kind: z.enum(LEGAL_KINDS),
      language: languageCode,
      content: z.string().trim().min(1).max(LIMITS.pages.legalLength).nullable(),
      in_force_from: timeAnywhere,
      after: z.int().min(0),
    }),
    output: byId,
    errors: ['changedMeanwhile'],
  }),
  withdrawLegalText: defineEndpoint({
    name: 'withdrawLegalText',
    method: 'POST',
    path: '/withdrawLegalText',
    summary:
      'Withdraws a version that is not in force yet, or brings it back. It can be read by operators all the same.',
    actors: ['admin'],
    input: z.strictObject({ id, withdrawn: z.boolean() }),
    output: byId,
    errors: ['entryNotFound', 'legalTextInForce'],
  }),
  managedEntries: defineEndpoint({
    name: 'managedEntries',
    method: 'GET',
    path: '/managedEntries',
    summary: 'Lists the questions or the places in their order, hidden ones too.',
    actors: ['admin'],
    input: z.strictObject({ kind: z.enum(ENTRY_KINDS) }),
    output: z.array(managedEntry),
  }),
  setEntry: defineEndpoint({
    name: 'setEntry',
    method: 'PUT',
    path: '/setEntry',
    summary:
      'Changes a question or a place, or adds one at the end. A language may be left empty, of what belongs together as a whole. `revision` is the one that was edited, 0 for another entry: what somebody else has changed since is not overwritten.',
    actors: ['admin'],
    input: z.discriminatedUnion('kind', [
      z
        .strictObject({ ...given, kind: z.literal('faq'), ...faqTexts })
        .superRefine((one, { addIssue }) => checkLanguages(one, ENTRY_TEXTS.faq.required, addIssue)),
      z
        .strictObject({ ...given, kind: z.literal('location'), ...locationTexts, map_url: webAddress.nullable() })
        .superRefine((one, { addIssue }) => checkLanguages(one, ENTRY_TEXTS.location.required, addIssue)),
    ]),
    output: managedEntry,
    errors: ['entryNotFound', 'changedMeanwhile', 'tooManyEntries'],
  }),
  moveEntry: defineEndpoint({
    name: 'moveEntry',
    method: 'PUT',
    path: '/moveEntry',
    summary: 'Moves a question or a place before another one, or to the end with null.',
    actors: ['admin'],
    input: z.strictObject({ id, before: id.nullable() }),
    output: byId,
    errors: ['entryNotFound'],
  }),
  deleteEntry: defineEndpoint({
    name: 'deleteEntry',
    method: 'POST',
    path: '/deleteEntry',
    summary: 'Deletes a question or a place. restoreEntry undoes it for a day.',
    actors: ['admin'],
    input: byId,
    output: byId,
    errors: ['entryNotFound'],
  }),
  restoreEntry: defineEndpoint({
    name: 'restoreEntry',
    method: 'POST',
    path: '/restoreEntry',
    summary: 'Undoes deleteEntry within a day, at the same place.',
    actors: ['admin'],
    input: byId,
    output: byId,
    errors: ['entryNotFound'],
  }),
} as const;
