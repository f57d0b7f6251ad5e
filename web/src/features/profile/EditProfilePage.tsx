import { LIMITS } from '@framelift/contract';
import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { updateUser } from '../../api/profile.ts';
import { useSession } from '../../api/session.ts';
import { showError } from '../../shared/show-error.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { confirm } from '../../ui/confirm.ts';
import { Form } from '../../ui/Form.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordHints } from '../../ui/PasswordHints.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import { ChangeEmailDialog } from './ChangeEmailDialog.tsx';
import { checkProfile, type ProfileFields, refusedField, wantsPassword } from './check-profile.ts';
import classes from './Profile.module.css';
import { useLeaveGuard } from './use-leave-guard.ts';

type Draft = Partial<ProfileFields>;

/** /member/profile: name, phone and password. What was typed stays until it is saved or discarded. */
export function EditProfilePage() {
  const { t } = useTranslation('profile');
  const { t: auth } = useTranslation('auth');
  const session = useSession();
  const { mutate, isPending } = useMutation(updateUser);
  /** What was typed over what is stored. */
  const [draft, setDraft] = useState<Draft>({});
  const [phoneAsked, askPhone] = useState(false);
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<{ field: keyof ProfileFields; text: string } | null>(null);
  const form = useFormFocus(isPending, refused);
  const [emailOpened, setEmailOpened] = useState(false);

  const user = 'user' in session ? session.user : null;
  const stored = { name: user?.name ?? '', phone: user?.phone ?? '', oldPassword: '', password: '' };
  const fields: ProfileFields = { ...stored, passwordConfirmation: '', ...draft };
  const changesName = fields.name.trim() !== stored.name;
  const changesPhone = fields.phone.trim() !== stored.phone;
  const unsaved = changesName || changesPhone || wantsPassword(fields);
  const problems = checkProfile(fields, user?.email ?? '');

  useLeaveGuard(unsaved && user !== null, () =>
    confirm({
      title: t('leave.title'),
      content: t('leave.text'),
      label: t('leave.leave'),
      cancel: t('leave.stay'),
    }),
  );

  if (!user) return null;

  const errorOf = (name: keyof ProfileFields): string | undefined => {
    const problem = tried ? problems[name] : undefined;
    if (problem) return auth(problem);
    return refused?.field === name ? refused.text : undefined;
  };
  const field = (name: keyof ProfileFields) => ({
    name,
    value: fields[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => {
      setDraft({ ...draft, [name]: event.currentTarget.value });
      if (refused?.field === name) setRefused(null);
    },
  });

  const discard = () => {
    setDraft({});
    askPhone(false);
    setTried(false);
    setRefused(null);
  };
  const submit = () => {
    if (isPending) return;
    const names = Object.keys(problems);
    if (names.length > 0) {
      setTried(true);
      form.current?.querySelector<HTMLElement>(names.map((name) => `[name="${name}"]`).join())?.focus();
      return;
    }
    if (!unsaved) return showToast({ kind: 'info', text: t('nothingChanged') });
    const { oldPassword, password, passwordConfirmation } = fields;
    const newPassword = wantsPassword(fields);
    mutate(
      {
        ...(changesName && { name: fields.name.trim() }),
        ...(changesPhone && { phone: fields.phone.trim() }),
        ...(newPassword && { old_password: oldPassword, password, password_confirmation: passwordConfirmation }),
      },
      {
        onSuccess: () => {
          discard();
          showToast({ kind: 'success', text: t('saved'), ...(newPassword && { lines: [t('savedPassword')] }) });
        },
        onError: (error) => {
          if (isCallError(error) && error.status === 401) return;
          const about = refusedField(error);
          if (about) setRefused({ field: about, text: error.message });
          else showError(error);
        },
      },
    );
  };

  const phoneShown = stored.phone !== '' || phoneAsked || fields.phone !== '';
  return (
    <Stack className={classes.page} gap="lg">
      <div>
        <BackLink to="/menu/profile">{t('back')}</BackLink>
        <Title order={1}>{t('editTitle')}</Title>
      </div>
      <Form ref={form} onSubmit={submit}>
        <fieldset disabled={isPending} className={classes.fields}>
          <Stack className={classes.card}>
            <TextInput label={auth('name')} autoComplete="name" maxLength={LIMITS.textLength} {...field('name')} />
            <TextInput
              label={auth('email')}
              type="email"
              name="email"
              autoComplete="username"
              readOnly
              classNames={{ input: classes.fixed ?? '' }}
              value={user.email}
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
              description={
                <PasswordHints password={fields.password} owner={{ name: fields.name, email: user.email }} />
              }
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              {...field('password')}
            />
            <PasswordField
              label={t('passwordConfirmation')}
              autoComplete="new-password"
              {...field('passwordConfirmation')}
            />
          </Stack>
          <Group grow>
            <Button variant="default" disabled={!unsaved && Object.keys(draft).length === 0} onClick={discard}>
              {t('discard')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
          </Group>
        </fieldset>
      </Form>
      <ChangeEmailDialog opened={emailOpened} onClose={() => setEmailOpened(false)} email={user.email} />
    </Stack>
  );
}
