import {
  byLanguage,
  htmlLangOf,
  LANGUAGES,
  type Language,
  LEGAL_KINDS,
  type LegalKind,
  type LegalVersion,
  LIMITS,
} from '@framelift/contract';
import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { legalVersionsQuery, publishLegalText, withdrawLegalText } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import { currentLanguage, i18next } from '../../../i18n/index.ts';
import { Markdown } from '../../../shared/markdown/Markdown.tsx';
import { builtinMarkdown } from '../../../shared/policy/builtin-markdown.ts';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { QueryState } from '../../../ui/QueryState.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { useLeaveGuard } from '../../../ui/use-leave-guard.ts';
import adminClasses from '../Admin.module.css';
import { AdminTitle } from '../AdminTitle.tsx';
import { RowButton } from '../buttons.tsx';
import { type Column, DataTable } from '../DataTable.tsx';
import { Loading } from '../Loading.tsx';
import { fromLocalInput } from '../local-time.ts';
import { onePage } from '../one-page.ts';
import { useUndoableAction } from '../use-undoable-action.ts';
import { askToLeave } from './ask-to-leave.ts';
import { LanguageEditor } from './LanguageEditor.tsx';

/** The texts that Framelift brings are of other languages than that of the page, too. */
const builtinQuery = (kind: LegalKind) => ({
  queryKey: ['builtin legal text', kind],
  queryFn: async () => {
    const languages = LANGUAGES.map(({ code }) => code);
    // Unlike other ways to load texts, this one tries again what failed.
    await i18next.reloadResources(languages, 'policy');
    // Their keys would stand in the field, and could be published.
    if (languages.some((language) => !i18next.hasResourceBundle(language, 'policy'))) throw new Error('No texts');
    return byLanguage((language) => builtinMarkdown(kind, language));
  },
});

/** /admin/legal: the terms and the privacy policy, each language with its own versions. */
export function LegalPage() {
  const { t } = useTranslation('adminPages');
  const { t: common } = useTranslation();
  const { kind: named } = useParams();
  const kind = LEGAL_KINDS.find((one) => one === named) ?? 'terms';
  const versions = useQuery(legalVersionsQuery(kind));
  const builtin = useQuery(builtinQuery(kind));
  return (
    <>
      <AdminTitle title={t('legal.title')} />
      <p className={adminClasses.lead}>{t('legal.lead')}</p>
      {/* Links, so that leaving a text that is not published asks first. */}
      <nav aria-label={t('legal.which')}>
        <Group gap="xs">
          {LEGAL_KINDS.map((one) => (
            <Button
              key={one}
              component={Link}
              to={`/admin/legal/${one}`}
              variant={one === kind ? 'light' : 'default'}
              aria-current={one === kind ? 'page' : undefined}
            >
              {t(`legal.kinds.${one}`)}
            </Button>
          ))}
        </Group>
      </nav>
      <QueryState query={versions} loading={<Loading height="40rem" />} align="flex-start">
        {(all) => (
          <QueryState
            query={builtin}
            loading={<Loading height="40rem" />}
            failed={common('networkError')}
            align="flex-start"
          >
            {(texts) => <LegalForm key={kind} kind={kind} versions={all} builtin={texts} />}
          </QueryState>
        )}
      </QueryState>
    </>
  );
}

interface Props {
  readonly kind: LegalKind;
  readonly versions: LegalVersion[];
  readonly builtin: Readonly<Record<Language, string>>;
}

function LegalForm({ kind, versions, builtin }: Props) {
  const { t } = useTranslation('adminPages');
  const { t: common } = useTranslation();
  const action = useUndoableAction();
  const lastOf = (language: Language) => versions.find((one) => one.language === language && one.state !== 'withdrawn');
  const numberOf = (language: Language) => versions.find((one) => one.language === language)?.number ?? 0;
  const published = byLanguage((language) => lastOf(language)?.content ?? builtin[language]);
  const [language, setLanguage] = useState(currentLanguage());
  /** What is typed and not published yet. */
  const [typed, setTyped] = useState<Partial<Record<Language, string>>>({});
  /** The numbers of the last versions when typing began: later ones of others are not passed over unseen. */
  const [seen, setSeen] = useState(() => byLanguage(numberOf));
  const [from, setFrom] = useState('');
  const fromField = useRef<HTMLInputElement>(null);
  const [read, setRead] = useState<LegalVersion | null>(null);
  const textOf = (one: Language) => typed[one] ?? published[one];
  const isChanged = (one: Language) => textOf(one).trim() !== published[one].trim();
  useLeaveGuard(
    LANGUAGES.some(({ code }) => isChanged(code)),
    askToLeave,
  );
  const type = (one: Language, text: string) => setTyped((all) => ({ ...all, [one]: text }));
  /** Puts another text into the field. What was typed there is nowhere else: it can be brought back. */
  const replace = (one: Language, text: string) => {
    const before = textOf(one);
    type(one, text);
    if (!isChanged(one)) return;
    const undo = { label: common('undo'), run: () => type(one, before) };
    showToast({ kind: 'info', text: t('legal.replaced'), action: undo });
  };
  // An own version is seen before the list has it.
  const isOutdated = numberOf(language) > seen[language];

  const publish = () => {
    // A time of which a part is missing reads as none: the text would be in force at once.
    if (!fromField.current?.reportValidity()) return;
    const content = textOf(language).trim();
    const begins = from === '' ? new Date().toISOString() : (fromLocalInput(from) ?? '');
    const send = async (text: string, after: number, at: string) => {
      // What equals the text of Framelift stays that text when a later version of Framelift corrects it.
      const sent = text === builtin[language].trim() ? null : text;
      await publishLegalText({ kind, language, after, in_force_from: at, content: sent });
      setSeen((all) => ({ ...all, [language]: after + 1 }));
    };
    const number = seen[language];
    // Not the last version: that one may be scheduled.
    const current = versions.find((one) => one.language === language && one.state === 'inForce');
    const earlier = (current?.content ?? builtin[language]).trim();
    action.mutate(
      {
        run: () => send(content, number, begins),
        done: t('legal.done'),
        undo: from === '' ? () => send(earlier, number + 1, new Date().toISOString()) : undefined,
      },
      {
        onSuccess: () => {
          // What was typed meanwhile is not published.
          setTyped(({ [language]: now, ...others }) =>
            now?.trim() === content ? others : { ...others, [language]: now },
          );
          setFrom('');
        },
      },
    );
  };
  const withdraw = ({ id, state }: LegalVersion) => {
    const withdrawn = state !== 'withdrawn';
    action.mutate({
      run: () => withdrawLegalText(id, withdrawn),
      done: t(withdrawn ? 'legal.withdrawnDone' : 'legal.backDone'),
      undo: () => withdrawLegalText(id, !withdrawn),
    });
  };

  const isOwn = (one: Language) => lastOf(one) !== undefined && lastOf(one)?.content !== null;
  const someOwn = LANGUAGES.some(({ code }) => isOwn(code));
  const missing = new Map(
    LANGUAGES.filter(({ code }) => someOwn && !isOwn(code)).map(({ code }) => [code, t('legal.stillBuiltin')] as const),
  );
  const when = (time: string) => formatDateTime(time, currentLanguage());
  const isUpcoming = (version: LegalVersion) => Date.parse(version.in_force_from) > Date.now();
  const columns: Column<LegalVersion>[] = [
    { key: 'number', label: t('legal.version'), cell: ({ number }) => t('legal.number', { number }) },
    { key: 'state', label: t('legal.state'), cell: ({ state }) => t(`legal.states.${state}`) },
    { key: 'from', label: t('legal.from'), cell: ({ in_force_from }) => when(in_force_from) },
    { key: 'by', label: t('legal.by'), cell: ({ published_by }) => published_by ?? t('legal.nobody'), loose: true },
    {
      key: 'act',
      label: t('legal.act'),
      cell: (version) => (
        <Group gap="xs">
          <RowButton aria-label={t('legal.readOf', { number: version.number })} onClick={() => setRead(version)}>
            {t('legal.read')}
          </RowButton>
          {isUpcoming(version) && (
            <RowButton loading={action.isPending} onClick={() => withdraw(version)}>
              {t(version.state === 'withdrawn' ? 'legal.back' : 'legal.withdraw')}
            </RowButton>
          )}
        </Group>
      ),
    },
  ];
  const own = { data: versions.filter((one) => one.language === language), isError: false, error: null };
  return (
    <>
      <FormProblem text={isCallError(action.error) ? action.error.message : undefined} />
      {isOutdated && (
        <div>
          <Text>{t('legal.outdated')}</Text>
          <Button variant="default" onClick={() => setSeen((all) => ({ ...all, [language]: numberOf(language) }))}>
            {t('legal.continue')}
          </Button>
        </div>
      )}
      <LanguageEditor
        language={language}
        onLanguage={setLanguage}
        missing={missing}
        fields={(one) => (
          <>
            <Textarea
              size="md"
              label={t('legal.text')}
              description={t('legal.markdown')}
              lang={htmlLangOf(one)}
              rows={22}
              maxLength={LIMITS.pages.legalLength}
              value={textOf(one)}
              onChange={({ currentTarget: { value } }) => type(one, value)}
            />
            <TextInput
              size="md"
              type="datetime-local"
              ref={fromField}
              label={t('legal.from')}
              description={t('legal.fromHint')}
              value={from}
              onChange={({ currentTarget: { value } }) => setFrom(value)}
            />
            <Group>
              <Button
                disabled={!isChanged(one) || isOutdated || textOf(one).trim() === ''}
                loading={action.isPending}
                onClick={publish}
              >
                {t('legal.publish')}
              </Button>
              {textOf(one).trim() !== builtin[one].trim() && (
                <Button variant="default" onClick={() => replace(one, builtin[one])}>
                  {t('legal.useBuiltin')}
                </Button>
              )}
            </Group>
          </>
        )}
        preview={(one) => <Markdown text={textOf(one)} order={2} />}
      />
      <DataTable
        label={t('legal.versions')}
        columns={columns}
        query={onePage({ ...own, refetch: () => {} })}
        empty={t('legal.none')}
      />
      <Modal
        opened={read !== null}
        onClose={() => setRead(null)}
        size="lg"
        title={t('legal.number', { number: read?.number ?? 0 })}
      >
        {read && (
          <div lang={htmlLangOf(read.language)}>
            <Markdown text={read.content ?? builtin[read.language]} order={3} />
          </div>
        )}
        {read && (
          <Button
            mt="md"
            variant="default"
            onClick={() => {
              replace(read.language, read.content ?? builtin[read.language]);
              setRead(null);
            }}
          >
            {t('legal.editFrom')}
          </Button>
        )}
      </Modal>
    </>
  );
}
