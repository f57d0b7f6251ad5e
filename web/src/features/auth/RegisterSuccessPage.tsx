import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { MailSent } from './MailSent.tsx';

/**
 * Shown after a registration. The address is part of the navigation state: it survives a reload, but not a copied link.
 */
export function RegisterSuccessPage() {
  const { t } = useTranslation('auth');
  const state = useLocation().state as { email?: string } | null;
  return (
    <MailSent email={state?.email}>
      <Button component={Link} to="/login" variant="default">
        {t('toLogin')}
      </Button>
    </MailSent>
  );
}
