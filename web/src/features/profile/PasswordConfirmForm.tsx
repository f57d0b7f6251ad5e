import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { showError } from '../../shared/show-error.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useFormFocus } from '../../ui/use-form-focus.ts';

interface PasswordConfirmFormProps {
  /** Sends the form; a refused password is reported at its field. */
  readonly send: (password: string) => Promise<unknown>;
  readonly busy: boolean;
  /** Label of the submit button. */
  readonly label: string;
  readonly color?: string;
  readonly onCancel: () => void;
  /**
   * Checks the fields above the password.
   * @returns false if any of them is invalid
   */
  readonly check?: () => boolean;
  readonly autoFocus?: boolean;
  /** Content above the password field. */
  readonly children: ReactNode;
}

/** Form of a dialog, confirmed with the member's own password. */
export function PasswordConfirmForm(props: PasswordConfirmFormProps) {
  const { send, busy, label, color, onCancel, check, autoFocus, children } = props;
  const { t } = useTranslation('profile');
  const { t: auth } = useTranslation('auth');
  const { t: common } = useTranslation();
  const [password, setPassword] = useState('');
  /** A new object for each attempt, so that the invalid field gets the focus each time. */
  const [problem, setProblem] = useState<{ readonly password?: string }>({});
  const form = useFormFocus(busy, problem);
  const [refusal, refuse] = useRefusal(password);

  const submit = async () => {
    if (busy) return;
    const complete = check?.() ?? true;
    setProblem(password === '' ? { password: auth('required') } : {});
    if (!complete || password === '') return;
    refuse(null);
    try {
      await send(password);
    } catch (error) {
      if (isCallError(error) && error.code === 'passwordIncorrect') setProblem({ password: error.message });
      else if (!isCallError(error) || error.status !== 401) {
        showError(error);
        refuse(error);
      }
    }
  };

  return (
    <Form ref={form} onSubmit={() => void submit()}>
      <Stack>
        <FormProblem text={refusal?.message} />
        {children}
        <PasswordField
          label={t('yourPassword')}
          autoComplete="current-password"
          value={password}
          error={problem.password}
          disabled={busy}
          data-autofocus={autoFocus}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setProblem({});
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={busy} {...(color !== undefined && { color })}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
