import type { PictureNote } from '@framelift/contract';
import { Stack, Text } from '@mantine/core';
import IconInfoCircle from '@tabler/icons-react/icons/IconInfoCircle';
import { useTranslation } from 'react-i18next';
import classes from './ResultView.module.css';

/** What the member should know about the file of a picture, e.g. that a part of it is missing. */
export function PictureNotes({ notes }: { notes: readonly PictureNote[] }) {
  const { t } = useTranslation('result');
  if (notes.length === 0) return null;
  return (
    <Stack gap="xs" component="ul" className={classes.notes}>
      {notes.map((note) => (
        <li key={note}>
          <IconInfoCircle size="1.25rem" aria-hidden />
          <Text size="sm">{t(`notes.${note}`)}</Text>
        </li>
      ))}
    </Stack>
  );
}
