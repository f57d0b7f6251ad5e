import { Badge, Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../api/config.ts';
import { useSession } from '../../api/session.ts';
import { useStartTutorial } from '../../shared/tutorial/use-start-tutorial.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './MediaWall.module.css';

const SampleScene = lazyNamed(() => import('../../shared/sample-scene/SampleScene.tsx'), 'SampleScene');

/**
 * Placeholder for an empty wall, with a sample whose depth is live, a button for the first conversion, and the tutorial: it
 * is offered as long as a member has nothing, and never stands in the way of one who returns.
 */
export function EmptyContent({ filtered = false }: { filtered?: boolean }) {
  const { t } = useTranslation('content');
  const { open } = useUploadDialog();
  const { kind } = useSession();
  const { data: config } = useQuery(configQuery);
  const startTutorial = useStartTutorial();
  if (filtered) return <Text>{t('empty.filtered')}</Text>;
  return (
    <Stack align="center" gap="md">
      {kind === 'member' && (
        <div className={classes.sample}>
          <Badge className={classes.badge ?? ''} variant="filled" color="dark">
            {t('sample.badge')}
          </Badge>
          <Suspense fallback={null}>
            <SampleScene label={t('sample.label')} />
          </Suspense>
        </div>
      )}
      <Title order={2} size="h3">
        {t('empty.title')}
      </Title>
      <Text c="dimmed">{t('empty.text')}</Text>
      {kind === 'member' && (
        <Text size="sm" c="dimmed">
          {t('sample.text')}
        </Text>
      )}
      <Button size="lg" onClick={() => open()}>
        {t('convert')}
      </Button>
      {kind === 'member' && config?.features.tutorial === 'on' && (
        <Button variant="subtle" onClick={() => void startTutorial()}>
          {t('empty.guide')}
        </Button>
      )}
    </Stack>
  );
}
