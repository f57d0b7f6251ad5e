import type { ManagedPaymentDetail } from '@framelift/contract';
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { closePayment, repairPayment } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { useContractForm } from '../../../shared/use-contract-form.ts';
import { Form } from '../../../ui/Form.tsx';
import { FormProblem } from '../../../ui/FormProblem.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { NAME_FIELD } from '../../../ui/name-field.ts';
import classes from '../Admin.module.css';
import { Panel } from '../Panel.tsx';
import { PROVIDER_NAMES, useProblemText } from './problem-text.ts';
import { RefundForm, refundable } from './RefundForm.tsx';
import { usePaymentCall } from './use-payment-call.ts';

/** What an operator can do about a payment. None of it grants what the provider has not confirmed. */
export function PaymentActions({ payment }: { payment: ManagedPaymentDetail }) {
  const { t } = useTranslation('adminPayments');
  const [asking, setAsking] = useState<'repair' | 'close' | 'refund' | null>(null);
  // Kept while the dialog fades, so that its title does not change.
  const [clears, setClears] = useState(false);
  const close = () => setAsking(null);
  const repair = (clear: boolean) => {
    setClears(clear);
    setAsking('repair');
  };
  const { name, state, problem, unanswered_since } = payment;
  const isOpen = state !== 'granted' && state !== 'refunded';
  const canRefund = refundable(payment) > 0;
  return (
    <Panel title={t('actions.title')}>
      <Stack gap="sm" align="stretch">
        {isOpen && (
          <Button variant="default" onClick={() => repair(false)}>
            {t('actions.ask')}
          </Button>
        )}
        {unanswered_since !== null && (
          <Button variant="default" onClick={() => setAsking('close')}>
            {t('actions.close')}
          </Button>
        )}
        {problem !== null && (
          <Button variant="default" onClick={() => repair(true)}>
            {t('actions.clear')}
          </Button>
        )}
        {canRefund && (
          <Button variant="default" className={classes.danger ?? ''} onClick={() => setAsking('refund')}>
            {t('actions.refund')}
          </Button>
        )}
        {!isOpen && problem === null && !canRefund && <Text c="dimmed">{t('actions.none')}</Text>}
      </Stack>
      <Modal
        opened={asking === 'repair'}
        onClose={close}
        title={t(clears ? 'actions.clear' : 'actions.ask')}
        closeOnClickOutside={false}
      >
        <RepairForm payment={payment} clear={clears} onDone={close} />
      </Modal>
      <Modal opened={asking === 'close'} onClose={close} title={t('actions.close')} closeOnClickOutside={false}>
        <CloseForm payment={payment} onDone={close} />
      </Modal>
      <Modal
        opened={asking === 'refund'}
        onClose={close}
        title={t('refund.title', { name })}
        closeOnClickOutside={false}
      >
        <RefundForm payment={payment} onDone={close} />
      </Modal>
    </Panel>
  );
}

interface RepairFormProps {
  readonly payment: ManagedPaymentDetail;
  /** Whether the problem is marked as dealt with. */
  readonly clear: boolean;
  readonly onDone: () => void;
}

function RepairForm({ payment: { id, method }, clear, onDone }: RepairFormProps) {
  const { t } = useTranslation('adminPayments');
  const textOf = useProblemText();
  const { form, input } = useContractForm('repairPayment', { reason: '' }, ({ reason }) => ({ id, clear, reason }));
  const repair = usePaymentCall(repairPayment, ({ state, problem }) => {
    if (!clear) return { kind: 'success', text: t('actions.askDone', { state: t(`states.${state}`) }) };
    return problem === null
      ? { kind: 'success', text: t('actions.clearDone') }
      : { kind: 'info', text: t('actions.stillThere', { problem: textOf(problem).name }) };
  });
  return (
    <Form onSubmit={() => input && repair.mutate(input, { onSuccess: onDone })}>
      <Stack>
        <FormProblem text={isCallError(repair.error) ? repair.error.message : undefined} />
        <Text>{t(clear ? 'actions.clearText' : 'actions.askText', { provider: PROVIDER_NAMES[method] })}</Text>
        <TextInput label={t('actions.reason')} {...NAME_FIELD} {...form.getInputProps('reason')} data-autofocus />
        <Button type="submit" disabled={!input} loading={repair.isPending}>
          {t(clear ? 'actions.clear' : 'actions.ask')}
        </Button>
      </Stack>
    </Form>
  );
}

function CloseForm({ payment: { id, method, route }, onDone }: Pick<RepairFormProps, 'payment' | 'onDone'>) {
  const { t } = useTranslation('adminPayments');
  const [isSure, setSure] = useState(false);
  const { form, input } = useContractForm('closePayment', { reason: '' }, ({ reason }) => ({ id, reason }));
  const closing = usePaymentCall(closePayment, () => ({ kind: 'success', text: t('actions.closeDone') }));
  const provider = PROVIDER_NAMES[method];
  return (
    <Form onSubmit={() => input && closing.mutate(input, { onSuccess: onDone })}>
      <Stack>
        <FormProblem text={isCallError(closing.error) ? closing.error.message : undefined} />
        <Text>{t('actions.closeText', { provider })}</Text>
        {route === 'charge' && <Text>{t('actions.closeRenewal')}</Text>}
        <TextInput label={t('actions.reason')} {...NAME_FIELD} {...form.getInputProps('reason')} data-autofocus />
        <Checkbox
          label={t('actions.closeConfirm', { provider })}
          checked={isSure}
          onChange={(event) => setSure(event.currentTarget.checked)}
        />
        <Button type="submit" disabled={!input || !isSure} loading={closing.isPending}>
          {t('actions.close')}
        </Button>
      </Stack>
    </Form>
  );
}
