import { Anchor, Button, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usageQuery } from '../../api/profile.ts';
import { formatBytes } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './Profile.module.css';

/** From here on it is said how to make room. */
const NEARLY_FULL = 0.9;

/** How much room the member's pictures and videos take, and how much there is. */
export function StorageUse() {
  const { t } = useTranslation('profile');
  const usage = useQuery(usageQuery);
  const language = currentLanguage();
  const share = usage.data ? usage.data.used / usage.data.limit : 0;
  return (
    <section className={classes.card} aria-labelledby="storage">
      <Stack gap="xs">
        <Title order={2} size="h4" id="storage">
          {t('storage.title')}
        </Title>
        {usage.isPending && (
          <div aria-hidden>
            <Skeleton height="2.25rem" />
          </div>
        )}
        {usage.isError && !usage.data && (
          <Stack role="alert" align="flex-start">
            <Text>{t('storage.failed')}</Text>
            <Button variant="default" onClick={() => void usage.refetch()}>
              {t('retry')}
            </Button>
          </Stack>
        )}
        {usage.data && (
          <>
            <Progress value={100 * share} aria-label={t('storage.title')} />
            <Text size="sm">
              {t('storage.used', {
                used: formatBytes(usage.data.used, language),
                limit: formatBytes(usage.data.limit, language),
              })}
            </Text>
            {share >= NEARLY_FULL && (
              <Text size="sm">
                {t('storage.nearlyFull')}{' '}
                <Anchor component={Link} to="/member/video" inherit>
                  {t('storage.content')}
                </Anchor>
              </Text>
            )}
          </>
        )}
      </Stack>
    </section>
  );
}
