import { Modal as MantineModal, type ModalRootProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useModalHistory } from './use-modal-history.ts';
import { useReturnFocus } from './use-return-focus.ts';

interface Props extends Omit<ModalRootProps, 'title'> {
  readonly title: ReactNode;
  readonly withCloseButton?: boolean;
}

/**
 * A dialog with its own history entry: "back" closes it. Focus stays inside and returns to the opener. To leave for
 * another page, navigate with `replace: true` (see useModalHistory).
 */
export function Modal({ opened, onClose, title, withCloseButton = true, children, ...rest }: Props) {
  const { t } = useTranslation();
  const closeTop = useModalHistory(opened, onClose);
  useReturnFocus(opened);
  return (
    <MantineModal.Root opened={opened} onClose={closeTop} centered returnFocus={false} {...rest}>
      <MantineModal.Overlay />
      <MantineModal.Content>
        {/* Not a landmark: the page already has a header. */}
        <MantineModal.Header role="none">
          <MantineModal.Title>{title}</MantineModal.Title>
          {withCloseButton && <MantineModal.CloseButton size="lg" aria-label={t('close')} />}
        </MantineModal.Header>
        <MantineModal.Body>{children}</MantineModal.Body>
      </MantineModal.Content>
    </MantineModal.Root>
  );
}
