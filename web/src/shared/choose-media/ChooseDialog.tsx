import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../../ui/Modal.tsx';
import classes from './ChooseMedia.module.css';

interface ChooseDialogProps {
  readonly title: string;
  /** Text of the button that adds what is chosen. */
  readonly action: string;
  readonly isEmpty: boolean;
  readonly busy: boolean;
  /** Adds what is chosen, then closes the dialog. */
  readonly onAdd: (close: () => void) => void;
  readonly onClosed: () => void;
  readonly children: (close: () => void) => ReactNode;
}

/** Dialog to choose from a long list. It keeps its height while the list is loaded, and its buttons stay in view below. */
export function ChooseDialog({ title, action, isEmpty, busy, onAdd, onClosed, children }: ChooseDialogProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(true);
  const close = () => setOpened(false);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size="lg"
      classNames={{ content: classes.dialog ?? '', body: classes.body ?? '' }}
      onExitTransitionEnd={onClosed}
    >
      <Stack className={classes.body ?? ''}>
        {children(close)}
        <Group justify="flex-end" className={classes.bottom ?? ''}>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button disabled={isEmpty} loading={busy} onClick={() => onAdd(close)}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
