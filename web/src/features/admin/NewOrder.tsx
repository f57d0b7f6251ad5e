import type { ManagedOrder } from '@framelift/contract';
import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createOnSiteOrder } from '../../api/admin.ts';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';

/** Asks for whom a new order is, and what it is called. */
export function NewOrder({ onMade }: { onMade: (order: ManagedOrder) => void }) {
  const { t } = useTranslation('admin');
  const { mutate, isPending } = useMutation(createOnSiteOrder);
  const { form, input } = useContractForm('createOnSiteOrder', { email: '', name: '' }, (values) => values);
  const [refusal, refuse] = useRefusal(form.values);
  return (
    <Form onSubmit={() => input && mutate(input, { onSuccess: onMade, onError: refuse })}>
      <Stack>
        <FormProblem text={refusal?.message} />
        <TextInput
          type="email"
          label={t('orders.email')}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <TextInput
          label={t('orders.name')}
          description={t('orders.nameHint')}
          {...NAME_FIELD}
          {...form.getInputProps('name')}
        />
        <Button type="submit" disabled={!input} loading={isPending}>
          {t('orders.next')}
        </Button>
      </Stack>
    </Form>
  );
}
