import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useModalHistory } from './useModalHistory.ts';
import { useReturnFocus } from './useReturnFocus.ts';

/**
 * A dialog with a history entry of its own: "back" closes it. Focus stays inside and returns to the opener.
 * A dialog that leads to another page navigates with `replace: true` (see useModalHistory).
 */
export function Modal({ opened, onClose, closeButtonProps, ...rest }: ModalProps) {
  const { t } = useTranslation();
  useModalHistory(opened, onClose);
  useReturnFocus(opened);
  return (
    <MantineModal
      opened={opened}
      onClose={onClose}
      centered
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('close'), size: 'lg', ...closeButtonProps }}
      {...rest}
    />
  );
}
