import { Button, Group, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { ChoosePicture } from './ChoosePicture.tsx';

interface Props {
  /** Whether there is a picture so far. */
  readonly present: boolean;
  /** Id of another one; null removes it, undefined keeps it. */
  readonly value: string | null | undefined;
  readonly onChange: (id: string | null) => void;
  readonly texts: Readonly<Record<'chosen' | 'none' | 'kept' | 'choose' | 'remove' | 'take', string>>;
}

/** Chooses one of the operator's own pictures for something, or removes it. */
export function PictureField({ present, value, onChange, texts }: Props) {
  const [choosing, setChoosing] = useState(false);
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {value ? texts.chosen : value === null || !present ? texts.none : texts.kept}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => setChoosing(true)}>
          {texts.choose}
        </Button>
        {present && value !== null && (
          <Button variant="default" onClick={() => onChange(null)}>
            {texts.remove}
          </Button>
        )}
      </Group>
      <Suspense fallback={null}>
        {choosing && (
          <ChoosePicture
            title={texts.choose}
            action={texts.take}
            onChoose={onChange}
            onClosed={() => setChoosing(false)}
          />
        )}
      </Suspense>
    </Stack>
  );
}
