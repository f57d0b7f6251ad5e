import type { DownloadFormat, MediaDetail } from '@framelift/contract';
import { Button, Menu, Stack, Text } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import classes from './ResultView.module.css';
import { type DownloadState, useDownload } from './use-download.ts';

/** The file for the person's own frame first; every other format in a menu, each named by what shows it. */
export function Downloads({ media }: { media: MediaDetail }) {
  const { t } = useTranslation('result');
  const { state, start } = useDownload(media);
  const [own, ...others] = media.formats;
  if (!own) return null;
  const busy = state.phase === 'making' || state.phase === 'fetching';
  const label = (format: DownloadFormat) => t(`formats.${format}.name`);

  return (
    <Stack gap="sm">
      <Button
        size="lg"
        className={classes.download}
        leftSection={<IconDownload aria-hidden />}
        loading={busy && state.format === own}
        disabled={busy && state.format !== own}
        onClick={() => start(own)}
      >
        <span className={classes.main}>
          {t('download.main', { device: media.deviceType.name })}
          <span className={classes.device}>{label(own)}</span>
        </span>
      </Button>
      <Menu width="target" position="bottom" shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            rightSection={<IconChevronDown size="1.1em" aria-hidden />}
            loading={busy && state.format !== own}
            disabled={busy && state.format === own}
          >
            {t('download.other')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map((format) => (
            <Menu.Item key={format} className={classes.format} onClick={() => start(format)}>
              <Text fw={500}>{label(format)}</Text>
              <Text size="xs" c="dimmed">
                {t(`formats.${format}.note`)}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <DownloadStatus state={state} />
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
