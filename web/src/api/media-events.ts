import type { MediaDetail } from '@framelift/contract';

export interface MediaWatcher {
  readonly onMedia: (media: MediaDetail) => void;
  /** Whether events arrive now. While they do not, the caller asks by itself. */
  readonly onStreaming: (streaming: boolean) => void;
}

/**
 * Listens to the progress of one conversion. A broken connection is opened again by the browser; a refused one stays
 * closed and is told as "not streaming".
 * @returns a function that stops listening
 */
export function watchMedia(id: string, { onMedia, onStreaming }: MediaWatcher): () => void {
  const source = new EventSource(`/api/media/${encodeURIComponent(id)}/events`);
  source.addEventListener('media', (event: MessageEvent<string>) => {
    onStreaming(true);
    onMedia(JSON.parse(event.data) as MediaDetail);
  });
  source.onerror = () => onStreaming(false);
  return () => {
    source.close();
    onStreaming(false);
  };
}
