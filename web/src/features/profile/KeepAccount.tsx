import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keepAccount } from '../../api/profile.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showToast } from '../../ui/toasts.ts';
import classes from './KeepAccount.module.css';

/** Banner on every page while the account is scheduled for deletion; its button cancels the deletion. */
export function KeepAccount({ deletionAt }: { deletionAt: string }) {
  const { t } = useTranslation('profile');
  const { mutate, isPending } = useMutation(keepAccount);
  const kept = () => {
    showToast({ kind: 'success', text: t('keep.done') });
    // Moves the focus, which would be lost with the button.
    document.getElementById('main')?.focus();
  };
  return (
    <section className={classes.banner} aria-label={t('delete.title')}>
      <Text>{t('keep.text', { date: formatDate(deletionAt, currentLanguage()) })}</Text>
      <Button loading={isPending} onClick={() => mutate(undefined, { onSuccess: kept })}>
        {t('keep.button')}
      </Button>
    </section>
  );
}
