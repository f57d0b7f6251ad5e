import { LIMITS, type User } from '@framelift/contract';
import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { updateUser } from '../../api/profile.ts';
import { useSession } from '../../api/session.ts';
import { showError } from '../../shared/show-error.ts';
import { useContractForm } from '../../shared/use-contract-form.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { confirm } from '../../ui/confirm.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordHints } from '../../ui/PasswordHints.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import { useLeaveGuard } from '../../ui/use-leave-guard.ts';
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx';
import { checkProfile, type ProfileFields, refusedField, wantsPassword } from './check-profile.ts';
import classes from './Profile.module.css';

const NO_PASSWORDS = { oldPassword: '', password: '', passwordConfirmation: '' };

/** /member/profile: name, phone and password. Input is kept until it is saved or discarded. */
export function EditProfilePage() {
  const session = useSession();
  return 'user' in session ? <EditProfile user={session.user} /> : null;
}

function EditProfile({ user }: { user: User }) {
  const { t } = useTranslation('profile');
  const { t: auth } = useTranslation('auth');
  const { mutate, isPending } = useMutation(updateUser);
  const { name, phone, email } = user;
  const stored: ProfileFields = { name, phone, ...NO_PASSWORDS };
  const { form, input, wrong } = useContractForm('userUpdate', { ...stored }, (fields) => ({
    ...(fields.name.trim() !== name && { name: fields.name.trim() }),
    ...(fields.phone.trim() !== phone && { phone: fields.phone.trim() }),
    ...(wantsPassword(fields) && {
      old_password: fields.oldPassword,
      password: fields.password,
      password_confirmation: fields.passwordConfirmation,
    }),
  }));
  const fields = form.values;
  const [refusal, refuse] = useRefusal(fields);
  const [phoneAsked, askPhone] = useState(false);
  const [tried, setTried] = useState(false);
  const element = useFormFocus(isPending, Object.keys(form.errors)[0]);
  const [emailOpened, setEmailOpened] = useState(false);

  const problems = checkProfile(fields, email, wrong);
  const changes = input && Object.keys(input).length === 0 ? null : input;
  const unsaved = input === null || changes !== null;

  useLeaveGuard(unsaved, () =>
    confirm({ title: t('leave.title'), content: t('leave.text'), label: t('leave.leave'), cancel: t('leave.stay') }),
  );
  const discard = () => {
    form.setValues(stored);
    form.clearErrors();
    askPhone(false);
    setTried(false);
  };
  // A change of the stored profile updates the fields that were not edited.
  const before = useRef({ name, phone });
  useEffect(() => {
    const { current } = before;
    before.current = { name, phone };
    if (name !== current.name && fields.name === current.name) form.setFieldValue('name', name);
    if (phone !== current.phone && fields.phone === current.phone) form.setFieldValue('phone', phone);
  });

  const field = (path: keyof ProfileFields) => {
    const props = form.getInputProps(path);
    const problem = tried ? problems[path] : undefined;
    return { name: path, ...props, error: problem ? auth(problem) : props.error };
  };
  const submit = () => {
    if (isPending) return;
    const names = Object.keys(problems);
    setTried(names.length > 0);
    if (names.length > 0) {
      element.current?.querySelector<HTMLElement>(names.map((one) => `[name="${one}"]`).join())?.focus();
      return;
    }
    if (!changes) return showToast({ kind: 'info', text: t('nothingChanged') });
    mutate(changes, {
      onSuccess: (saved) => {
        form.setValues({ name: saved.name, phone: saved.phone, ...NO_PASSWORDS });
        askPhone(false);
        const lines = changes.password === undefined ? undefined : [t('savedPassword')];
        showToast({ kind: 'success', text: t('saved'), lines });
      },
      onError: (error) => {
        if (isCallError(error) && error.status === 401) return;
        const about = refusedField(error);
        if (about) form.setFieldError(about, error.message);
        else {
          showError(error);
          refuse(error);
        }
      },
    });
  };

  const phoneShown = phone !== '' || phoneAsked || fields.phone !== '';
  return (
    <Stack className={classes.page} gap="lg">
      <div>
        <BackLink to="/menu/profile">{t('back')}</BackLink>
        <Title order={1}>{t('editTitle')}</Title>
      </div>
      <Form ref={element} onSubmit={submit}>
        <FormProblem text={refusal?.message} />
        <fieldset disabled={isPending} className={classes.fields}>
          <Stack className={classes.card}>
            <TextInput label={auth('name')} autoComplete="name" {...NAME_FIELD} {...field('name')} />
            <TextInput
              label={auth('email')}
              type="email"
              name="email"
              autoComplete="username"
              readOnly
              classNames={{ input: classes.fixed ?? '' }}
              value={email}
              description={t('emailNote')}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
            />
            <Button variant="default" className={classes.aside ?? ''} onClick={() => setEmailOpened(true)}>
              {t('changeEmail')}
            </Button>
            {phoneShown ? (
              <TextInput
                label={t('phone')}
                type="tel"
                autoComplete="tel"
                maxLength={LIMITS.phoneLength}
                autoFocus={phoneAsked}
                {...field('phone')}
              />
            ) : (
              <Button
                variant="transparent"
                className={`${classes.aside} ${classes.plain}`}
                leftSection={<IconPlus size="1.1em" aria-hidden />}
                onClick={() => askPhone(true)}
              >
                {t('addPhone')}
              </Button>
            )}
          </Stack>
          <Stack className={classes.card}>
            <div>
              <Title order={2} size="h4">
                {t('passwordTitle')}
              </Title>
              <Text c="dimmed" size="sm">
                {t('passwordNote')}
              </Text>
            </div>
            <PasswordField label={t('oldPassword')} autoComplete="current-password" {...field('oldPassword')} />
            <PasswordField
              label={t('newPassword')}
              autoComplete="new-password"
              description={<PasswordHints password={fields.password} owner={{ name: fields.name, email }} />}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              {...field('password')}
            />
            <PasswordField
              label={t('passwordConfirmation')}
              autoComplete="new-password"
              {...field('passwordConfirmation')}
            />
          </Stack>
          <Group grow preventGrowOverflow={false}>
            <Button variant="default" disabled={!unsaved && fields.oldPassword === ''} onClick={discard}>
              {t('discard')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
          </Group>
        </fieldset>
      </Form>
      <ChangeEmailDialog opened={emailOpened} onClose={() => setEmailOpened(false)} email={email} />
    </Stack>
  );
}
