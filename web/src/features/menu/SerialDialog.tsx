import { LIMITS } from '@framelift/contract';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { redeemSerial } from '../../api/profile.ts';
import { showError } from '../../shared/show-error.ts';
import { Form } from '../../ui/Form.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { showSuccess } from '../../ui/success-note.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './MenuPage.module.css';

/** Redeems a serial code. A refusal is shown at the field, and the code remains for correction. */
export function SerialDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('menu');
  const { t: common } = useTranslation();
  const { mutate, isPending } = useMutation(redeemSerial);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const form = useFormFocus(isPending, problem);

  useEffect(() => {
    if (opened) setProblem(undefined);
  }, [opened]);

  const submit = () => {
    if (isPending) return;
    const typed = code.trim();
    setProblem(typed === '' ? t('serialDialog.required') : undefined);
    if (typed === '') return;
    mutate(typed, {
      onSuccess: () => {
        setCode('');
        onClose();
        showSuccess({ title: t('serialDialog.doneTitle'), text: t('serialDialog.doneText') });
      },
      onError: (error) => {
        if (!isCallError(error) || error.status === 0) showError(error);
        else if (error.status !== 401) setProblem(error.message);
      },
    });
  };

  return (
    <Modal opened={opened} onClose={onClose} title={t('serial')}>
      <Form ref={form} onSubmit={submit}>
        <Stack>
          <Text>{t('serialDialog.text')}</Text>
          <TextInput
            label={t('serialDialog.label')}
            description={t('serialDialog.hint')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            classNames={{ input: classes.code ?? '' }}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={code}
            error={problem}
            disabled={isPending}
            data-autofocus
            onChange={(event) => {
              // Leading blanks of a pasted code are removed first, so that the length limit does not cut its end.
              setCode(event.currentTarget.value.trimStart().slice(0, LIMITS.textLength));
              setProblem(undefined);
            }}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('serialDialog.redeem')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
