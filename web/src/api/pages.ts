import type { Language, LegalKind } from '@framelift/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { QUIET } from './query-client.ts';

/** First part of the key of what operators write for the public pages: a change in the administration renews it. */
export const PAGES_KEY = 'pages';

/** Questions and answers, in one language where there is one. */
export const faqQuery = (language: Language) =>
  queryOptions({
    queryKey: [PAGES_KEY, 'faq', language],
    queryFn: ({ signal }) => call('faq', { signal }),
    meta: QUIET,
  });

/** Places where frames are on display, in one language where there is one. */
export const locationsQuery = (language: Language) =>
  queryOptions({
    queryKey: [PAGES_KEY, 'locations', language],
    queryFn: ({ signal }) => call('locations', { signal }),
    meta: QUIET,
  });

/** The terms or the privacy policy that are in force, or were at a time, in one language. */
export const legalTextQuery = (kind: LegalKind, language: Language, at: string | null = null) =>
  queryOptions({
    queryKey: [PAGES_KEY, 'legal', kind, language, at],
    queryFn: ({ signal }) => call('legalText', { params: { kind }, input: at === null ? {} : { at }, signal }),
    meta: QUIET,
  });
