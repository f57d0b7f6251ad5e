import type { DownloadFormat, MediaDetail } from '@framelift/contract';
import { useEffect, useRef, useState } from 'react';
import { isCallError } from '../../api/client.ts';
import { fetchFile, saveBlob } from '../../api/download.ts';
import { mediaLinks } from '../../api/media.ts';

export type DownloadState =
  | { readonly phase: 'idle' }
  /** The server makes a format that nobody has asked for yet. */
  | { readonly phase: 'making'; readonly format: DownloadFormat }
  | { readonly phase: 'fetching'; readonly format: DownloadFormat; readonly fraction: number }
  | { readonly phase: 'saved'; readonly name: string }
  /** `message` is the server's sentence; null when the file itself broke off. */
  | { readonly phase: 'failed'; readonly message: string | null };

/** Downloads a result's files as blobs, one format at a time. Leaving the page stops it. */
export function useDownload(media: MediaDetail) {
  const [state, setState] = useState<DownloadState>({ phase: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(format: DownloadFormat, signal: AbortSignal): Promise<void> {
    setState({ phase: 'making', format });
    try {
      let saved = media.name;
      for (const link of await mediaLinks(media.id, format, signal)) {
        setState({ phase: 'fetching', format, fraction: 0 });
        const { blob, name } = await fetchFile(link.url, {
          signal,
          onProgress: (fraction) => setState({ phase: 'fetching', format, fraction }),
        });
        saved = name ?? media.name;
        saveBlob(blob, saved);
      }
      setState({ phase: 'saved', name: saved });
    } catch (error) {
      if (signal.aborted) return;
      setState({ phase: 'failed', message: isCallError(error) ? error.message : null });
    }
  }

  return {
    state,
    start(format: DownloadFormat) {
      running.current?.abort();
      running.current = new AbortController();
      void run(format, running.current.signal);
    },
  };
}
