import { Button, Stack, Text } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportAccount } from '../../api/profile.ts';
import { formatBytes, formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import { PasswordConfirmForm } from './PasswordConfirmForm.tsx';
import classes from './Profile.module.css';
import { Section } from './Section.tsx';

/** Exports all data stored about the member as one file. */
export function ExportAccount() {
  const { t } = useTranslation('profile');
  const [opened, setOpened] = useState(false);
  return (
    <Section id="export" title={t('export.title')}>
      <Text c="dimmed">{t('export.text')}</Text>
      <Button variant="default" className={classes.aside ?? ''} onClick={() => setOpened(true)}>
        {t('export.ask')}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('export.title')}>
        <Export onCancel={() => setOpened(false)} />
      </Modal>
    </Section>
  );
}

/** Content of the dialog; its state is reset by each opening. */
function Export({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation('profile');
  const { mutateAsync, isPending, data } = useMutation(exportAccount);
  const language = currentLanguage();
  if (!data) {
    return (
      <PasswordConfirmForm send={mutateAsync} busy={isPending} label={t('export.make')} onCancel={onCancel} autoFocus>
        <Text>{t('export.why')}</Text>
      </PasswordConfirmForm>
    );
  }
  const facts = { size: formatBytes(data.size, language), time: formatDateTime(data.expires_at, language) };
  return (
    <Stack>
      <Text role="status">{t('export.ready', facts)}</Text>
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
  );
}
