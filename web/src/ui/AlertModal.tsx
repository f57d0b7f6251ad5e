import { Button, Group, Image, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import classes from './AlertModal.module.css';
import type { AlertAnswer, AlertOptions } from './alerts.ts';
import { Form } from './Form.tsx';
import { KindIcon } from './KindIcon.tsx';
import { lazyNamed } from './lazy-named.ts';
import { Modal } from './Modal.tsx';
import { NAME_FIELD } from './name-field.ts';

const AlbumField = lazyNamed(() => import('./AlbumField.tsx'), 'AlbumField');

const looks = {
  primary: {},
  danger: { color: 'red' },
  plain: { variant: 'default' },
} as const;

/** Generic alert with any of: title, content, picture, input, albums and buttons. */
export function AlertModal({ options, answer }: { options: AlertOptions; answer: (answer: AlertAnswer) => void }) {
  const { kind, title, content, image, input, album, buttons = [], ms } = options;
  const [opened, setOpened] = useState(true);
  const [text, setText] = useState(input?.value ?? '');
  const [albumId, setAlbumId] = useState(album?.value ?? null);
  /** The button triggered by Enter in the field. */
  const primary = buttons.find(({ look }) => look === 'primary');
  const chosen = useRef<string | null>(null);
  const close = (button: string | null) => {
    chosen.current = button;
    setOpened(false);
  };

  useEffect(() => {
    if (ms === undefined) return;
    const timer = setTimeout(() => setOpened(false), ms);
    return () => clearTimeout(timer);
  }, [ms]);

  return (
    <Modal
      opened={opened}
      onClose={() => close(null)}
      title={
        kind ? (
          <span className={classes.title}>
            <KindIcon kind={kind} />
            {title}
          </span>
        ) : (
          title
        )
      }
      withCloseButton={ms === undefined}
      onExitTransitionEnd={() => answer({ button: chosen.current, input: text, ...(album && { album: albumId }) })}
    >
      <Form onSubmit={() => primary && close(primary.value)}>
        <Stack role={ms === undefined ? undefined : 'alert'}>
          {image && <Image className={classes.image ?? ''} src={image.src} alt={image.alt} radius="md" fit="contain" />}
          {typeof content === 'string' ? <Text className={classes.content}>{content}</Text> : content}
          {input && (
            <TextInput
              label={input.label}
              value={text}
              {...NAME_FIELD}
              onChange={(event) => setText(event.currentTarget.value)}
              data-autofocus
            />
          )}
          {album && (
            <Suspense fallback={<Skeleton className={classes.field} />}>
              <AlbumField {...album} value={albumId} onChange={setAlbumId} />
            </Suspense>
          )}
          {buttons.length > 0 && (
            <Group justify="flex-end" className={classes.buttons ?? ''}>
              {buttons.map(({ value, label, look = 'plain' }) => (
                <Button
                  key={value}
                  onClick={() => close(value)}
                  {...looks[look]}
                  data-autofocus={(!input && value === (primary ?? buttons[0])?.value) || undefined}
                >
                  {label}
                </Button>
              ))}
            </Group>
          )}
        </Stack>
      </Form>
    </Modal>
  );
}
