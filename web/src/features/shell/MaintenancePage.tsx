import type { Language, PublicConfig } from '@framelift/contract';
import { Button, Stack, Text, Title } from '@mantine/core';
import IconTools from '@tabler/icons-react/icons/IconTools';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { safePath } from '../../api/redirect.ts';
import { useSession } from '../../api/session.ts';
import { formatDateTime } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import classes from './MaintenancePage.module.css';
import page from './Page.module.css';

const POLL_MS = 15_000;

/** Shows when the maintenance ends, and returns to the previous page when it is over. */
export function MaintenancePage() {
  const { t } = useTranslation('pages');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { kind } = useSession();
  const { state } = useLocation() as { state: { from?: string } | null };
  const { data } = useQuery({ ...configQuery, refetchInterval: POLL_MS });
  const over = data !== undefined && !data.isMaintenance;

  useEffect(() => {
    if (!over) return;
    // Queries that failed during the maintenance are fetched again.
    void queries.resetQueries({ predicate: ({ state }) => state.status === 'error' });
    navigate(safePath(state?.from ?? null, window.location.origin) ?? '/', { replace: true });
  }, [over, queries, navigate, state]);

  if (!data || over) return <Spinner />;
  const { zone, ...times } = maintenanceWindow(data.maintenance, currentLanguage());
  return (
    <Stack className={page.centre} align="center" gap="lg">
      <DocumentTitle title={t('maintenance.title')} />
      <span className={classes.icon}>
        <IconTools size={32} aria-hidden />
      </span>
      <Title order={1}>{t('maintenance.title')}</Title>
      <Text size="lg">{t('maintenance.text')}</Text>
      <Text c="dimmed">{t('maintenance.window', { ...times, zone })}</Text>
      {Date.parse(data.maintenance.to) < Date.now() && <Text c="dimmed">{t('maintenance.longer')}</Text>}
      {kind === 'visitor' && (
        <Button component={Link} to="/login" variant="subtle" color="gray">
          {t('maintenance.login')}
        </Button>
      )}
    </Stack>
  );
}

/** Formats the maintenance window in the user's language and time zone, with the name of the zone. */
export function maintenanceWindow({ from, to }: PublicConfig['maintenance'], language: Language) {
  const zone = new Intl.DateTimeFormat(language, { timeZoneName: 'short' })
    .formatToParts(new Date(from))
    .find(({ type }) => type === 'timeZoneName')?.value;
  return { from: formatDateTime(from, language), to: formatDateTime(to, language), zone: zone ?? 'UTC' };
}
