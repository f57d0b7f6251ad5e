import { Button } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';

/** Beside the title of a page: adds something. */
export const NewButton = Button.withProps({ leftSection: <IconPlus size="1.1em" aria-hidden /> });

/** In a row of a table. Its `aria-label` says which row it is for. */
export const RowButton = Button.withProps({ variant: 'default', px: 'sm' });
