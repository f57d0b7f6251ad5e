import type { MediaDetail } from '@framelift/contract';
import { Button, Stack, Text } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { useDeviceName } from '../../shared/device-name.ts';
import { textsOf } from '../../shared/format-groups.ts';
import { DownloadGuide } from './DownloadGuide.tsx';
import { OtherFormats } from './OtherFormats.tsx';
import { PendingFormats } from './PendingFormats.tsx';
import classes from './ResultView.module.css';
import { type DownloadRequest, type DownloadState, useDownload } from './use-download.ts';

/** Downloads the file for the member's own frame; a dialog lists all other formats by the devices that show them. */
export function Downloads({ media }: { media: MediaDetail }) {
  const { t } = useTranslation(['result', 'formats', 'guides']);
  const nameOf = useDeviceName();
  const { state, start } = useDownload(media);
  const [choosing, setChoosing] = useState(false);
  const [last, setLast] = useState<DownloadRequest | null>(null);
  const [own, ...others] = media.formats;
  if (!own) return null;
  const busy = state.phase === 'making' || state.phase === 'fetching';
  const begin = (request: DownloadRequest) => {
    setLast(request);
    start(request);
  };
  const loadsOwn = busy && state.request.formats[0] === own && state.request.formats.length === 1;

  return (
    <Stack gap="sm">
      <Button
        size="lg"
        className={classes.download}
        leftSection={<IconDownload aria-hidden />}
        loading={loadsOwn}
        disabled={busy && !loadsOwn}
        data-guide="download"
        onClick={() => begin({ formats: [own], options: {} })}
      >
        <span className={classes.main}>
          {t('download.main', { device: nameOf(media.deviceType) })}
          <span className={classes.device}>{t(`formats:formats.${textsOf(own, media.film !== null)}.name`)}</span>
        </span>
      </Button>
      {others.length > 0 && (
        <Button variant="default" loading={busy && !loadsOwn} disabled={loadsOwn} onClick={() => setChoosing(true)}>
          {t('download.other')}
        </Button>
      )}
      <OtherFormats media={media} opened={choosing} onClose={() => setChoosing(false)} onDownload={begin} />
      {media.film && <PendingFormats video={media.film} />}
      <DownloadStatus state={state} />
      {last && <DownloadGuide media={media} request={last} />}
    </Stack>
  );
}

function DownloadStatus({ state }: { state: DownloadState }) {
  const { t } = useTranslation('result');
  const text = () => {
    switch (state.phase) {
      case 'idle':
        return '';
      case 'making':
        return t('download.making');
      case 'waiting':
        return t('making.waiting');
      case 'fetching':
        return t('download.fetching', { percent: formatPercent(state.fraction, currentLanguage()) });
      case 'saved':
        return t('download.saved', { name: state.name });
      case 'failed':
        return state.message ?? t('download.failed');
    }
  };
  return (
    <Text
      size="sm"
      className={classes.title}
      c={state.phase === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}
      role={state.phase === 'failed' ? 'alert' : 'status'}
      aria-live={state.phase === 'fetching' ? 'off' : undefined}
    >
      {text()}
    </Text>
  );
}
