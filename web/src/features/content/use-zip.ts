import { LIMITS, type Media } from '@framelift/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { downloadUrl } from '../../api/download.ts';
import { mediaLinks, mediaZip } from '../../api/media.ts';
import { formatBytes } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showToast } from '../../ui/toasts.ts';

/** Files made so far, of those that did not exist. */
export interface ZipProgress {
  readonly done: number;
  readonly count: number;
}

/**
 * Downloads many media as one archive. The browser saves it as it arrives; only the files that the server does not have
 * at hand are made before, one after the other.
 */
export function useZip() {
  const { t } = useTranslation('content');
  const [progress, setProgress] = useState<ZipProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function prepare(media: readonly Media[], signal: AbortSignal): Promise<void> {
    const ids = media.map(({ id }) => id);
    let zip = await mediaZip(ids, signal);
    const missing = zip.to_make;
    for (const [done, id] of missing.entries()) {
      setProgress({ done, count: missing.length });
      // What cannot be made is left out, and named in the archive.
      await mediaLinks(id, [], {}, signal).catch((error: unknown) => {
        if (signal.aborted || !isCallError(error)) throw error;
      });
    }
    if (missing.length > 0) zip = await mediaZip(ids, signal);
    if (signal.aborted) return;
    if (zip.files > 0) downloadUrl(zip.url);
    const nameOf = (id: string) => media.find((one) => one.id === id)?.name ?? '';
    const lines = [...zip.left_out.map(({ name, message }) => `${name}: ${message}`), ...zip.to_make.map(nameOf)];
    const size = formatBytes(zip.size, currentLanguage());
    const text =
      zip.files > 0 ? t('selection.downloading', { count: zip.files, size }) : t('selection.nothingToDownload');
    showToast({
      kind: lines.length > 0 ? 'warning' : 'success',
      text,
      ...(lines.length > 0 && { lines: [t('selection.leftOut', { count: lines.length }), ...lines.slice(0, 3)] }),
    });
  }

  return {
    progress,
    cancel: () => running.current?.abort(),
    async start(media: readonly Media[]): Promise<void> {
      if (media.length > LIMITS.zipAtOnce) {
        showToast({ kind: 'warning', text: t('selection.tooMany', { max: LIMITS.zipAtOnce }) });
        return;
      }
      running.current = new AbortController();
      const { signal } = running.current;
      setProgress({ done: 0, count: media.length });
      try {
        await prepare(media, signal);
      } catch (error) {
        if (signal.aborted) return;
        showToast({ kind: 'error', text: isCallError(error) ? error.message : t('selection.downloadFailed') });
      } finally {
        setProgress(null);
      }
    },
  };
}
