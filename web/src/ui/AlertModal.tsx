import { LIMITS } from '@framelift/contract';
import { Button, Group, Image, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { AlertAnswer, AlertOptions } from './alerts.ts';
import { Modal } from './Modal.tsx';

const looks = {
  primary: {},
  danger: { color: 'red' },
  plain: { variant: 'default' },
} as const;

/** The generic alert: title, content, picture, input and buttons, whichever are given. */
export default function AlertModal({
  options,
  answer,
}: {
  options: AlertOptions;
  answer: (answer: AlertAnswer) => void;
}) {
  const { title, content, image, input, buttons = [], ms } = options;
  const [opened, setOpened] = useState(true);
  const [text, setText] = useState(input?.value ?? '');
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
      title={title}
      withCloseButton={ms === undefined}
      onExitTransitionEnd={() => answer({ button: chosen.current, input: text })}
    >
      <Stack role={ms === undefined ? undefined : 'alert'}>
        {image && <Image src={image.src} alt={image.alt} radius="md" />}
        {typeof content === 'string' ? <Text>{content}</Text> : content}
        {input && (
          <TextInput
            label={input.label}
            value={text}
            maxLength={LIMITS.textLength}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {buttons.length > 0 && (
          <Group justify="flex-end">
            {buttons.map(({ value, label, look = 'plain' }) => (
              <Button key={value} onClick={() => close(value)} {...looks[look]}>
                {label}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
