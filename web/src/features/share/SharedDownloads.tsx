import type { SharedMedia } from '@framelift/contract';
import { Button, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchFile, saveBlob } from '../../api/download.ts';
import { formatPercent } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { grouped, textsOf } from '../../shared/format-groups.ts';
import { Modal } from '../../ui/Modal.tsx';
import classes from './Shared.module.css';

type State =
  | { readonly phase: 'idle' | 'making' | 'failed' }
  | { readonly phase: 'fetching'; readonly fraction: number }
  | { readonly phase: 'saved'; readonly name: string };

/** The files that everybody with the link may save, by the devices that show them. */
export function SharedDownloads({ media: { files, film, name } }: { media: SharedMedia }) {
  const { t } = useTranslation(['share', 'formats']);
  const [opened, setOpened] = useState(false);
  const [state, setState] = useState<State>({ phase: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function save(url: string): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setOpened(false);
    // The server may have to make the file first.
    setState({ phase: 'making' });
    try {
      const onProgress = (fraction: number) => setState({ phase: 'fetching', fraction });
      const file = await fetchFile(url, { signal, onProgress });
      saveBlob(file.blob, file.name ?? name);
      setState({ phase: 'saved', name: file.name ?? name });
    } catch {
      if (!signal.aborted) setState({ phase: 'failed' });
    }
  }

  const text = () => {
    switch (state.phase) {
      case 'idle':
        return '';
      case 'making':
        return t('page.making');
      case 'fetching':
        return t('page.fetching', { percent: formatPercent(state.fraction, currentLanguage()) });
      case 'saved':
        return t('page.saved', { name: state.name });
      case 'failed':
        return t('page.notSaved');
    }
  };
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        leftSection={<IconDownload size="1.1em" aria-hidden />}
        loading={state.phase === 'making' || state.phase === 'fetching'}
        onClick={() => setOpened(true)}
      >
        {t('page.download')}
      </Button>
      <Text
        size="sm"
        className={classes.status ?? ''}
        c={state.phase === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}
        role={state.phase === 'failed' ? 'alert' : 'status'}
        aria-live={state.phase === 'fetching' ? 'off' : undefined}
      >
        {text()}
      </Text>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('page.downloads')} size="lg">
        <Stack gap="lg">
          {grouped(files.map(({ format }) => format)).map(({ group, formats }) => (
            <section key={group}>
              <Title order={2} size="h5">
                {t(`formats:groups.${group}`)}
              </Title>
              <ul className={classes.files}>
                {files
                  .filter(({ format }) => formats.includes(format))
                  .map(({ format, url }) => (
                    <li key={format}>
                      <UnstyledButton className={classes.file} onClick={() => void save(url)}>
                        <IconDownload size="1.25rem" aria-hidden />
                        <span>
                          {t(`formats:formats.${textsOf(format, film !== null)}.name`)}
                          <small>{t(`formats:formats.${textsOf(format, film !== null)}.note`)}</small>
                        </span>
                      </UnstyledButton>
                    </li>
                  ))}
              </ul>
            </section>
          ))}
        </Stack>
      </Modal>
    </>
  );
}
