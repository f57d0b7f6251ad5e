import type { DownloadFormat, FileOptions, MediaDetail } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isCallError } from '../../api/client.ts';
import { fetchFile, saveBlob } from '../../api/download.ts';
import { mediaLinks, mediaQuery } from '../../api/media.ts';
import { showAlert } from '../../ui/alerts.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { dialogsSettled } from '../../ui/use-modal-history.ts';

/** Requested download: a single format as it is, several in one archive. */
export interface DownloadRequest {
  readonly formats: readonly DownloadFormat[];
  readonly options: FileOptions;
}

export type DownloadState =
  | { readonly phase: 'idle' }
  /** The server is generating a format that was not requested before. */
  | { readonly phase: 'making'; readonly request: DownloadRequest }
  /** A video is being converted to a format that was not requested before, which takes minutes. */
  | { readonly phase: 'waiting'; readonly request: DownloadRequest }
  | { readonly phase: 'fetching'; readonly request: DownloadRequest; readonly fraction: number }
  | { readonly phase: 'saved'; readonly name: string }
  /** `message` is the server's error text; null if the download itself broke off. */
  | { readonly phase: 'failed'; readonly message: string | null };

/** Downloads the files of a result as blobs, one request at a time. Leaving the page aborts it. */
export function useDownload(media: MediaDetail) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [state, setState] = useState<DownloadState>({ phase: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  useEffect(() => {
    if (state.phase !== 'waiting') return;
    const { formats, options } = state.request;
    const isPlain = !options.swapEyes && options.anaglyph === undefined;
    // The rendered media may be slightly older than the cached one.
    const { film: video } = queries.getQueryData(mediaQuery(media.id).queryKey) ?? media;
    const making = video?.making.find(
      (one) =>
        one.format === formats[0] &&
        Boolean(one.options.swapEyes) === Boolean(options.swapEyes) &&
        one.options.anaglyph === options.anaglyph,
    );
    // Files with options are not listed: one that is no longer being made is asked for.
    if (isPlain ? video?.ready.some((one) => one === formats[0]) : !making) start(state.request);
    else if (!making || making.failure) setState({ phase: 'failed', message: making?.failure?.message ?? null });
  });

  async function run(request: DownloadRequest, signal: AbortSignal): Promise<void> {
    setState({ phase: 'making', request });
    try {
      let saved = media.name;
      for (const link of await mediaLinks(media.id, request.formats, request.options, signal)) {
        setState({ phase: 'fetching', request, fraction: 0 });
        const { blob, name } = await fetchFile(link.url, {
          signal,
          onProgress: (fraction) => setState({ phase: 'fetching', request, fraction }),
        });
        saved = name ?? media.name;
        saveBlob(blob, saved);
      }
      setState({ phase: 'saved', name: saved });
    } catch (error) {
      if (signal.aborted) return;
      if (isCallError(error) && error.code === 'formatBeingMade') {
        // The cached media does not list this format yet.
        await queries.invalidateQueries({ queryKey: mediaQuery(media.id).queryKey });
        if (!signal.aborted) setState({ phase: 'waiting', request });
        return;
      }
      setState({ phase: 'failed', message: isCallError(error) ? error.message : null });
      // The media was changed elsewhere and is being converted again. The home page shows the progress.
      if (isCallError(error) && error.code === 'obj_havent_transformed_completed') {
        await showAlert({ kind: 'warning', title: error.message, ms: UI_LIMITS.alertMs });
        await dialogsSettled();
        if (!signal.aborted) navigate('/home', { replace: true });
      }
    }
  }

  function start(request: DownloadRequest): void {
    running.current?.abort();
    running.current = new AbortController();
    void run(request, running.current.signal);
  }

  return { state, start };
}
