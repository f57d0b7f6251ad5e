import { LIMITS } from '@framelift/contract';
import { CloseButton, TextInput } from '@mantine/core';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isComposing } from '../../ui/is-composing.ts';

/** Time after the last letter until the search begins. */
const PAUSE_MS = 250;

/** Field for a part of a name, which searches while it is typed. */
export function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation('content');
  const [text, setText] = useState(value);
  const told = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  // Changed elsewhere, e.g. by "back".
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);

  const tell = (next: string) => {
    clearTimeout(pause.current);
    if (next === told.current) return;
    told.current = next;
    latest.current(next);
  };
  /** Not while an input method still composes what is written [A103]. */
  const type = (next: string, composing: boolean) => {
    setText(next);
    clearTimeout(pause.current);
    if (!composing) pause.current = setTimeout(() => tell(next), PAUSE_MS);
  };
  return (
    <search>
      <TextInput
        type="search"
        aria-label={t('search.label')}
        placeholder={t('search.label')}
        maxLength={LIMITS.searchLength}
        enterKeyHint="search"
        leftSection={<IconSearch size="1.25rem" aria-hidden />}
        rightSection={
          text !== '' && (
            <CloseButton
              size="lg"
              aria-label={t('search.clear')}
              onClick={() => {
                setText('');
                tell('');
              }}
            />
          )
        }
        value={text}
        onChange={({ currentTarget, nativeEvent }) =>
          type(currentTarget.value, (nativeEvent as InputEvent).isComposing)
        }
        onCompositionEnd={({ currentTarget }) => type(currentTarget.value, false)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event)) tell(text);
        }}
      />
    </search>
  );
}
