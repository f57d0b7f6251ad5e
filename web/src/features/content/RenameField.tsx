import { LIMITS, type Media } from '@framelift/contract';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renameMedia } from '../../api/media.ts';
import { isComposing } from '../../ui/is-composing.ts';
import { showToast } from '../../ui/toasts.ts';

/** Returns the name without its extension, which the server keeps. */
const stemOf = (name: string) => name.replace(/(?<=.)\.[^./\\]+$/, '');

interface Props {
  readonly media: Media;
  /** `hadFocus`: the focus was still in the field, which disappears. */
  readonly onEnd: (hadFocus: boolean) => void;
}

/** Field in the place of a name. Enter and leaving it save, Escape does not; after a failure the text stays. */
export function RenameField({ media: { id, name }, onEnd }: Props) {
  const { t } = useTranslation('content');
  const [text, setText] = useState(stemOf(name));
  const rename = useMutation(renameMedia);
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  const end = () => {
    ended.current = true;
    onEnd(document.activeElement === field.current);
  };
  const save = () => {
    const next = text.trim();
    if (ended.current || rename.isPending) return;
    if (next === '' || next === stemOf(name)) return end();
    rename.mutate(
      { id, name: next },
      {
        onSuccess: (media) => {
          showToast({ kind: 'success', text: t('renamed', { name: media.name }) });
          end();
        },
      },
    );
  };
  return (
    <TextInput
      ref={field}
      aria-label={t('card.newName', { name })}
      maxLength={LIMITS.fileNameLength}
      value={text}
      error={rename.error?.message}
      // Not disabled, which would lose the focus.
      readOnly={rename.isPending}
      aria-busy={rename.isPending}
      autoFocus
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        // Enter ends the composition of an input method first [A103].
        if (isComposing(event)) return;
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // The rest of the key press would open the card, which gets the focus.
        event.preventDefault();
        if (event.key === 'Enter') return save();
        event.stopPropagation();
        end();
      }}
    />
  );
}
