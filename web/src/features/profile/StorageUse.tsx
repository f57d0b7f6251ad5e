import { Anchor, Progress, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usageQuery } from '../../api/profile.ts';
import { formatBytes } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import { Section } from './Section.tsx';

/** Fraction from which the page explains how to free space. */
const NEARLY_FULL = 0.9;

/** Storage used by the member's media, and the limit. */
export function StorageUse() {
  const { t } = useTranslation('profile');
  const usage = useQuery(usageQuery);
  const language = currentLanguage();
  return (
    <Section id="storage" title={t('storage.title')}>
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
    </Section>
  );
}
