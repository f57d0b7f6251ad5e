import type { PairedFrame } from '@framelift/contract';
import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import IconDeviceTv from '@tabler/icons-react/icons/IconDeviceTv';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renameFrame, unpairFrame } from '../../api/frames.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { relativeTime } from '../../i18n/relative-time.ts';
import { confirm } from '../../ui/confirm.ts';
import { Form } from '../../ui/Form.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { showToast } from '../../ui/toasts.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './Frames.module.css';
import { kindOf, screenSize, sentenceOf } from './frame-words.ts';

/** One frame of the member; it can be renamed in place and unpaired. */
export function FrameCard({ frame, onGone }: { frame: PairedFrame; onGone: () => void }) {
  const { t } = useTranslation('frames');
  const unpairing = useMutation(unpairFrame);
  const [renaming, setRenaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const { id, name } = frame;

  const unpair = async () => {
    if (!(await confirm({ title: t('unpairTitle', { name }), content: t('unpairText'), label: t('unpair') }))) return;
    const gone = () => {
      showToast({ kind: 'success', text: t('unpaired', { name }) });
      // Moves the focus, which would be lost with the buttons of the frame.
      onGone();
    };
    unpairing.mutateAsync(id).then(gone, () => {});
  };
  const endRenaming = () => {
    setRenaming(false);
    requestAnimationFrame(() => pencil.current?.focus());
  };

  return (
    <li className={classes.frame}>
      <IconDeviceTv aria-hidden />
      <div className={classes.about}>
        {renaming ? (
          <Rename frame={frame} onEnd={endRenaming} />
        ) : (
          <div className={classes.name}>
            <Text fw={600} component="h2">
              {name}
            </Text>
            <ActionIcon ref={pencil} aria-label={t('rename', { name })} onClick={() => setRenaming(true)}>
              <IconPencil size="1.25rem" stroke={1.5} aria-hidden />
            </ActionIcon>
          </div>
        )}
        <Text size="sm" c="dimmed">
          {t('facts', { kind: kindOf(frame.kind), screen: screenSize(frame.screen) })}
        </Text>
        <LastSeen frame={frame} />
      </div>
      <Button
        variant="default"
        className={classes.unpair ?? ''}
        aria-label={t('unpairOf', { name })}
        loading={unpairing.isPending}
        onClick={() => void unpair()}
      >
        {t('unpair')}
      </Button>
    </li>
  );
}

function LastSeen({ frame: { online, lastSeenAt } }: { frame: PairedFrame }) {
  const { t } = useTranslation('frames');
  const language = currentLanguage();
  if (online) {
    return (
      <Text size="sm" className={classes.online ?? ''}>
        {t('online')}
      </Text>
    );
  }
  if (lastSeenAt === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('neverSeen')}
      </Text>
    );
  }
  const time = relativeTime(lastSeenAt, Date.now(), language);
  return (
    <Text size="sm" c="dimmed">
      <time dateTime={lastSeenAt} title={formatDateTime(lastSeenAt, language)}>
        {time === null ? t('seenNow') : t('seen', { time })}
      </time>
    </Text>
  );
}

function Rename({ frame: { id, name }, onEnd }: { frame: PairedFrame; onEnd: () => void }) {
  const { t } = useTranslation('frames');
  const { t: common } = useTranslation();
  const { mutate, isPending: busy } = useMutation(renameFrame);
  const [typed, setTyped] = useState(name);
  const [problem, setProblem] = useState<string>();
  const form = useFormFocus(busy, problem);

  const save = () => {
    const next = typed.trim();
    if (busy) return;
    if (next === name) return onEnd();
    if (next === '') return setProblem(t('nameMissing'));
    mutate(
      { id, name: next },
      {
        onSuccess: () => {
          showToast({ kind: 'success', text: t('renamed', { name: next }) });
          onEnd();
        },
        onError: (error) => setProblem(sentenceOf(error)),
      },
    );
  };
  return (
    <Form
      ref={form}
      className={classes.rename}
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) onEnd();
      }}
    >
      <TextInput
        aria-label={t('name')}
        name="name"
        autoComplete="off"
        {...NAME_FIELD}
        value={typed}
        error={problem}
        disabled={busy}
        data-autofocus
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <Group gap="xs">
        <Button type="submit" loading={busy}>
          {t('save')}
        </Button>
        <Button variant="default" disabled={busy} onClick={onEnd}>
          {common('cancel')}
        </Button>
      </Group>
    </Form>
  );
}
