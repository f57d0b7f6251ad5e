import { type SharedMedia, sharedTitle } from '@framelift/contract';
import type { DepthMode } from '@framelift/engine/webgl';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useFullscreenElement } from '@mantine/hooks';
import IconMaximize from '@tabler/icons-react/icons/IconMaximize';
import IconMinimize from '@tabler/icons-react/icons/IconMinimize';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { sharedMediaQuery } from '../../api/shares.ts';
import { ModePicker } from '../../shared/depth-view/ModePicker.tsx';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { TryAgain } from '../../ui/QueryState.tsx';
import classes from './Shared.module.css';
import { SharedDownloads } from './SharedDownloads.tsx';
import { SharedStage } from './SharedStage.tsx';

const MODES: readonly DepthMode[] = ['parallax', 'anaglyph', 'sideBySide', 'quilt'];

/** The public page of a shared picture or video, for everybody who has its link. */
export function SharedPage() {
  const { t } = useTranslation('share');
  const { token = '' } = useParams();
  const { data, isError, error, isFetching, refetch } = useQuery(sharedMediaQuery(token));
  if (data) return <Shown media={data} />;
  if (!isError) {
    return (
      <div className={classes.page} role="status" aria-label={t('page.loading')}>
        <Skeleton className={classes.skeleton} />
      </div>
    );
  }
  if (isCallError(error) && (error.status === 404 || error.status === 400)) {
    return (
      <Stack className={classes.gone} align="center" gap="lg">
        <DocumentTitle title={t('page.goneTitle')} />
        <Title order={1}>{t('page.goneTitle')}</Title>
        <Text c="dimmed">{t('page.gone')}</Text>
        <Button component={Link} to="/index">
          {t('page.start')}
        </Button>
      </Stack>
    );
  }
  return (
    <TryAgain query={{ isError, error, isFetching, refetch }} text={t('page.failed')} className={classes.gone ?? ''} />
  );
}

function Shown({ media }: { media: SharedMedia }) {
  const { t } = useTranslation(['share', 'result']);
  const [mode, setMode] = useState<DepthMode>('parallax');
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const name = sharedTitle(media.name);
  const Icon = fullscreen ? IconMinimize : IconMaximize;
  return (
    <div className={classes.page}>
      <DocumentTitle title={name} />
      <div ref={ref} className={classes.stage}>
        <SharedStage media={media} mode={mode} />
      </div>
      {media.preview && (
        <div className={classes.modes}>
          <ModePicker value={mode} onChange={setMode} modes={MODES} />
          <p className={classes.hint}>{t(`result:hints.${mode}`)}</p>
        </div>
      )}
      <div className={classes.head}>
        <Title order={1} className={classes.name ?? ''}>
          {name}
        </Title>
        <Group gap="xs">
          {document.fullscreenEnabled && (
            <Button variant="default" leftSection={<Icon size="1.1em" aria-hidden />} onClick={() => void toggle()}>
              {t(fullscreen ? 'page.leaveFullScreen' : 'page.fullScreen')}
            </Button>
          )}
          {media.files.length > 0 && <SharedDownloads media={media} />}
        </Group>
      </div>
      <Invitation />
    </div>
  );
}

/** Says what made the picture, and invites to make one. */
function Invitation() {
  const { t } = useTranslation('share');
  const { kind } = useSession();
  const { open } = useUploadDialog();
  return (
    <section className={classes.invitation}>
      <span className={classes.mark}>
        <Logo name={false} />
      </span>
      <div className={classes.pitch}>
        <Text fw={600} component="h2">
          {t('page.made')}
        </Text>
        <Text c="dimmed">{t('page.pitch')}</Text>
      </div>
      {kind === 'member' ? (
        <Button onClick={() => open()}>{t('page.go')}</Button>
      ) : (
        <Button component={Link} to="/index">
          {t('page.go')}
        </Button>
      )}
    </section>
  );
}
