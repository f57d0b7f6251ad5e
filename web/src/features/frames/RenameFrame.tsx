import type { PairedFrame } from '@framelift/contract';
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renameFrame } from '../../api/frames.ts';
import { Form } from '../../ui/Form.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { showToast } from '../../ui/toasts.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './Frames.module.css';
import { sentenceOf } from './frame-words.ts';

/** Field for a new name, in the place of the name. */
export function RenameFrame({ frame: { id, name }, onEnd }: { frame: PairedFrame; onEnd: () => void }) {
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
