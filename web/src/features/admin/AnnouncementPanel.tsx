import { type Announcement, byLanguage, LANGUAGES, LIMITS } from '@framelift/contract';
import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setAnnouncement } from '../../api/admin.ts';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { Form } from '../../ui/Form.tsx';
import classes from './Admin.module.css';
import { endsTooEarly, fromLocalInput, toLocalInput } from './local-time.ts';
import { Panel } from './Panel.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

const WEEK_MS = 7 * 86_400_000;
const EMPTY = byLanguage(() => '');

/** Edits the announcement shown over every page: its text in each language, its time range, and a preview. */
export function AnnouncementPanel({ announcement }: { announcement: Announcement | null }) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  const initial = {
    text: announcement?.text ?? EMPTY,
    from: toLocalInput(announcement?.from ?? new Date()),
    to: toLocalInput(announcement?.to ?? new Date(Date.now() + WEEK_MS)),
  };
  const { form, input } = useContractForm('setAnnouncement', initial, ({ text, from, to }) => ({
    announcement: { text, from: fromLocalInput(from) ?? '', to: fromLocalInput(to) ?? '' },
  }));
  const tooEarly = endsTooEarly(form.values);
  const before = announcement && { text: announcement.text, from: announcement.from, to: announcement.to };
  const put = (next: typeof before) => () => setAnnouncement({ announcement: next });
  const save = () => {
    if (!input || tooEarly) return;
    action.mutate({ run: () => setAnnouncement(input), done: t('announcement.done'), undo: put(before) });
  };
  const takeDown = () => action.mutate({ run: put(null), done: t('announcement.downDone'), undo: put(before) });

  return (
    <Panel title={t('announcement.title')}>
      <Text>{t(stateOf(announcement))}</Text>
      <Form onSubmit={save} className={classes.columns}>
        <div className={classes.features}>
          {LANGUAGES.map(({ code, name, htmlLang }) => (
            <Textarea
              key={code}
              size="md"
              label={<span lang={htmlLang}>{name}</span>}
              lang={htmlLang}
              rows={3}
              maxLength={LIMITS.announcementLength}
              {...form.getInputProps(`text.${code}`)}
            />
          ))}
        </div>
        <section className={classes.preview} aria-label={t('announcement.preview')}>
          <Text size="sm" c="dimmed">
            {t('announcement.preview')}
          </Text>
          {LANGUAGES.map(({ code, htmlLang }) => (
            <p key={code} lang={htmlLang}>
              {form.values.text[code] || '…'}
            </p>
          ))}
        </section>
        <TextInput type="datetime-local" label={t('settings.from')} {...form.getInputProps('from')} />
        <TextInput
          type="datetime-local"
          label={t('settings.to')}
          {...form.getInputProps('to')}
          error={tooEarly && t('settings.endsTooEarly')}
        />
        <Group>
          <Button type="submit" disabled={!input || tooEarly} loading={action.isPending}>
            {t('announcement.put')}
          </Button>
          {announcement && (
            <Button variant="default" loading={action.isPending} onClick={takeDown}>
              {t('announcement.takeDown')}
            </Button>
          )}
        </Group>
      </Form>
    </Panel>
  );
}

function stateOf(announcement: Announcement | null) {
  const now = Date.now();
  if (!announcement) return 'announcement.none';
  if (now < Date.parse(announcement.from)) return 'announcement.coming';
  return now < Date.parse(announcement.to) ? 'announcement.shown' : 'announcement.over';
}
