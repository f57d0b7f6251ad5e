import type { Solution } from '@framelift/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../../ui/Modal.tsx';
import { ConfirmPurchase } from './ConfirmPurchase.tsx';
import { PaymentChoice } from './PaymentChoice.tsx';

interface Props {
  readonly solution: Solution;
  readonly name: string;
  /** A payment that is repeated is not confirmed again. */
  readonly begins?: 'confirm' | 'choose';
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks to confirm a purchase, then how to pay for it. */
export function PurchaseDialog({ solution, name, begins = 'confirm', opened, onClose }: Props) {
  const { t } = useTranslation(['payment', 'errors', 'upload']);
  const [step, setStep] = useState(begins);
  return (
    <Modal opened={opened} onClose={onClose} title={t(`payment:${step}`)}>
      {step === 'confirm' ? (
        <ConfirmPurchase solution={solution} name={name} onCancel={onClose} onBuy={() => setStep('choose')} />
      ) : (
        <PaymentChoice
          solution={solution}
          name={name}
          onBack={() => (begins === 'confirm' ? setStep('confirm') : onClose())}
        />
      )}
    </Modal>
  );
}
