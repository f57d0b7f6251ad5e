import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { remakeMissing } from '../../api/admin.ts';
import { showToast } from '../../ui/toasts.ts';
import { Panel } from './Panel.tsx';

/** Makes covers, previews and files again that the store has lost. */
export function RemakePanel() {
  const { t } = useTranslation('admin');
  const remake = useMutation(remakeMissing);
  const done = () => showToast({ kind: 'success', text: t('remake.done') });
  return (
    <Panel title={t('remake.title')}>
      <Text>{t('remake.text')}</Text>
      <Button
        variant="default"
        mt="md"
        loading={remake.isPending}
        onClick={() => remake.mutateAsync().then(done, () => {})}
      >
        {t('remake.run')}
      </Button>
    </Panel>
  );
}
