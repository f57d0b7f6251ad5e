import { Button, Group, Stack, Text, Title } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { exportAccount } from '../../api/profile.ts';
import { formatBytes, formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showError } from '../../shared/show-error.ts';
import { Form } from '../../ui/Form.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './Profile.module.css';

/** Everything that is kept of the member, as one file. */
export function ExportAccount() {
  const { t } = useTranslation('profile');
  const [opened, setOpened] = useState(false);
  return (
    <section className={classes.card} aria-labelledby="export">
      <Stack gap="xs">
        <Title order={2} size="h4" id="export">
          {t('export.title')}
        </Title>
        <Text c="dimmed">{t('export.text')}</Text>
        <Button variant="default" className={classes.aside ?? ''} onClick={() => setOpened(true)}>
          {t('export.ask')}
        </Button>
      </Stack>
      <ExportDialog opened={opened} onClose={() => setOpened(false)} />
    </section>
  );
}

function ExportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('profile');
  const { t: auth } = useTranslation('auth');
  const { mutate, isPending, data, reset } = useMutation(exportAccount);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const form = useFormFocus(isPending, problem);
  const language = currentLanguage();

  useEffect(() => {
    if (!opened) return;
    reset();
    setPassword('');
    setProblem(undefined);
  }, [opened, reset]);

  const submit = () => {
    if (isPending) return;
    setProblem(password === '' ? auth('required') : undefined);
    if (password === '') return;
    mutate(password, {
      onError: (error) => {
        if (isCallError(error) && error.code === 'passwordIncorrect') setProblem(error.message);
        else if (!isCallError(error) || error.status !== 401) showError(error);
      },
    });
  };

  return (
    <Modal opened={opened} onClose={onClose} title={t('export.title')}>
      {data ? (
        <Stack>
          <Text role="status">
            {t('export.ready', {
              size: formatBytes(data.size, language),
              time: formatDateTime(data.expires_at, language),
            })}
          </Text>
          <Button
            component="a"
            href={data.url}
            download
            leftSection={<IconDownload size="1.1em" aria-hidden />}
            data-autofocus
          >
            {t('export.download')}
          </Button>
        </Stack>
      ) : (
        <Form ref={form} onSubmit={submit}>
          <Stack>
            <Text>{t('export.why')}</Text>
            <PasswordField
              label={t('yourPassword')}
              autoComplete="current-password"
              value={password}
              error={problem}
              disabled={isPending}
              data-autofocus
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('cancel')}
              </Button>
              <Button type="submit" loading={isPending}>
                {t('export.make')}
              </Button>
            </Group>
          </Stack>
        </Form>
      )}
    </Modal>
  );
}
