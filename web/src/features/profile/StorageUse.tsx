import { Anchor, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usageQuery } from '../../api/profile.ts';
import { formatBytes } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import classes from './Profile.module.css';

/** Share from which the page says how to make room. */
const NEARLY_FULL = 0.9;

/** How much room the member's pictures and videos take, and how much there is. */
export function StorageUse() {
  const { t } = useTranslation('profile');
  const usage = useQuery(usageQuery);
  const language = currentLanguage();
  return (
    <section className={classes.card} aria-labelledby="storage">
      <Stack gap="xs">
        <Title order={2} size="h4" id="storage">
          {t('storage.title')}
        </Title>
        <QueryState
          query={usage}
          loading={<Skeleton height="2.25rem" aria-hidden />}
          failed={t('storage.failed')}
          align="flex-start"
        >
          {({ used, limit }) => (
            <>
              <Progress value={(100 * used) / limit} aria-label={t('storage.title')} />
              <Text size="sm">
                {t('storage.used', { used: formatBytes(used, language), limit: formatBytes(limit, language) })}
              </Text>
              {used / limit >= NEARLY_FULL && (
                <Text size="sm">
                  {t('storage.nearlyFull')}{' '}
                  <Anchor component={Link} to="/member/video" inherit>
                    {t('storage.content')}
                  </Anchor>
                </Text>
              )}
            </>
          )}
        </QueryState>
      </Stack>
    </section>
  );
}
