import { byLanguage, type EntryKind, htmlLangOf, type Language, LIMITS, type ManagedEntry } from '@framelift/contract';
import { Button, Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { managedEntriesQuery, setEntry } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { FaqList } from '../../../shared/public-pages/FaqList.tsx';
import { PlaceCard } from '../../../shared/public-pages/PlaceCard.tsx';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import { QueryState } from '../../../ui/QueryState.tsx';
import { useLeaveGuard } from '../../../ui/use-leave-guard.ts';
import adminClasses from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { Loading } from '../Loading.tsx';
import { useUndoableAction } from '../use-undoable-action.ts';
import { askToLeave } from './ask-to-leave.ts';
import {
  type EntryInput,
  type EntryTexts,
  entryInput,
  faqPreview,
  fieldsOf,
  missingIn,
  nameOf,
  pathOfKind,
  placePreview,
  textsOf,
} from './entries.ts';
import { LanguageEditor } from './LanguageEditor.tsx';

/** Rows of the texts that have several lines. */
const ROWS: Readonly<Record<string, number>> = { answer: 8, note: 4 };

/** /admin/faq/:id and /admin/locations/:id: edits a question or a place, or adds one. */
export function EntryPage({ kind }: { kind: EntryKind }) {
  const { t } = useTranslation('adminPages');
  const { id = '' } = useParams();
  const query = useQuery(managedEntriesQuery(kind));
  /** What is typed stays, also if another operator deletes the entry. */
  const opened = useRef<string>(undefined);
  return (
    <>
      <Link to={pathOfKind(kind)} className={adminClasses.target}>
        {t(`${kind}.title`)}
      </Link>
      <QueryState query={query} loading={<Loading height="30rem" />} align="flex-start">
        {(entries) => {
          const entry = entries.find((one) => one.id === id);
          if (id !== 'new' && !entry && opened.current !== id) return <Text>{t('gone')}</Text>;
          opened.current = id;
          return <EntryForm key={id} kind={kind} entry={entry ?? null} />;
        }}
      </QueryState>
    </>
  );
}

/** Returns what the form begins with. */
const valuesOf = (kind: EntryKind, entry: ManagedEntry | null) => ({
  texts: entry
    ? textsOf(entry)
    : (Object.fromEntries(fieldsOf(kind).map((field) => [field, byLanguage(() => '')])) as EntryTexts),
  map: entry?.kind === 'location' ? (entry.map_url ?? '') : '',
  active: entry?.is_active ?? true,
});

/** `entry` is the newest one; what is edited is the one that there was when the form was opened. */
function EntryForm({ kind, entry }: { kind: EntryKind; entry: ManagedEntry | null }) {
  const { t } = useTranslation('adminPages');
  const navigate = useNavigate();
  const action = useUndoableAction();
  const [language, setLanguage] = useState(currentLanguage());
  const [base, setBase] = useState(entry);
  const { form, input, wrong } = useContractForm('setEntry', valuesOf(kind, base), ({ texts, map, active }) => {
    const mapUrl = map.trim() === '' ? null : map.trim();
    return {
      ...{ id: base?.id ?? null, revision: base?.revision ?? 0, kind, is_active: active, ...texts },
      ...(kind === 'location' && { map_url: mapUrl }),
    } as EntryInput;
  });
  const { texts, map, active } = form.values;
  useLeaveGuard(form.isDirty(), askToLeave);

  const missing = missingIn(kind, texts);
  const why = (language: Language) => {
    const isEmpty = fieldsOf(kind).every((field) => texts[field]?.[language].trim() === '');
    return t(isEmpty ? 'empty' : `${kind}.half`);
  };
  const isOutdated = isCallError(action.error) && action.error.code === 'changedMeanwhile';
  const theirs = isOutdated && entry !== null && entry.revision !== base?.revision ? entry : null;

  const takeTheirs = () => {
    setBase(theirs);
    action.reset();
  };
  const save = () => {
    if (!input) return;
    const before = base;
    let saved: ManagedEntry;
    action.mutate(
      {
        run: async () => {
          saved = await setEntry(input);
        },
        done: t('saved', { name: nameOf({ ...input } as ManagedEntry, currentLanguage()) }),
        undo: before ? () => setEntry({ ...entryInput(before), revision: saved.revision }) : undefined,
      },
      // Replaces the history entry of the input.
      { onSuccess: () => navigate(pathOfKind(kind), { replace: true }) },
    );
  };
  const preview = (language: Language) =>
    kind === 'faq' ? (
      <FaqList entries={[faqPreview(texts, language)]} opened={['preview']} />
    ) : (
      <PlaceCard place={placePreview(texts, wrong('map_url' as 'id') || map === '' ? null : map, language)} />
    );

  return (
    <>
      <AdminTitle title={base ? nameOf(base, currentLanguage()) : t(`${kind}.new`)} />
      <Form onSubmit={save}>
        <Stack>
          <FormProblem text={isCallError(action.error) ? action.error.message : undefined} />
          {theirs && <Theirs entry={theirs} onTake={takeTheirs} />}
          <LanguageEditor
            language={language}
            onLanguage={setLanguage}
            missing={new Map(missing.map((language) => [language, why(language)]))}
            fields={(language) =>
              fieldsOf(kind).map((field) => {
                const label = t(`fields.${field as 'question'}`);
                const props = { label, lang: htmlLangOf(language), size: 'md' } as const;
                const given = form.getInputProps(`texts.${field}.${language}`);
                const rows = ROWS[field];
                return rows === undefined ? (
                  <TextInput key={field} {...props} maxLength={LIMITS.shop.titleLength} {...given} />
                ) : (
                  <Textarea
                    key={field}
                    {...props}
                    description={t('markdown')}
                    rows={rows}
                    maxLength={LIMITS.pages.textLength}
                    {...given}
                  />
                );
              })
            }
            preview={preview}
          />
          {kind === 'location' && (
            <TextInput
              size="md"
              type="url"
              label={t('map')}
              description={t('mapHint')}
              {...form.getInputProps('map')}
              error={map !== '' && wrong('map_url' as 'id') && t('mapWrong')}
            />
          )}
          <Checkbox label={t('isShown')} {...form.getInputProps('active', { type: 'checkbox' })} checked={active} />
          <div>
            <Button type="submit" disabled={!input || theirs !== null} loading={action.isPending}>
              {t('save')}
            </Button>
          </div>
        </Stack>
      </Form>
    </>
  );
}

/** What another operator saved meanwhile, to be compared with what is in the form. */
function Theirs({ entry, onTake }: { entry: ManagedEntry; onTake: () => void }) {
  const { t } = useTranslation('adminPages');
  const texts = textsOf(entry);
  const time = formatDateTime(entry.changed_at, currentLanguage());
  return (
    <section className={adminClasses.preview} aria-label={t('theirs', { name: entry.changed_by ?? '', time })}>
      <Text size="sm" c="dimmed">
        {t('theirs', { name: entry.changed_by ?? '', time })}
      </Text>
      {fieldsOf(entry.kind).flatMap((field) =>
        Object.entries(texts[field] ?? {})
          .filter(([, text]) => text !== '')
          .map(([language, text]) => (
            <p key={`${field}.${language}`} lang={htmlLangOf(language as Language)}>
              {text}
            </p>
          )),
      )}
      <div>
        <Button variant="default" onClick={onTake}>
          {t('replaceTheirs')}
        </Button>
      </div>
    </section>
  );
}
