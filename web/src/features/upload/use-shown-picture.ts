import { type Dispatch, useEffect } from 'react';
import { showPicture } from './show-picture.ts';
import type { Chosen, UploadEvent } from './upload-flow.ts';

/** Makes the chosen picture visible, and lets go of its memory when another one takes its place. */
export function useShownPicture(chosen: Chosen | null, dispatch: Dispatch<UploadEvent>): void {
  const file = chosen?.kind === 'picture' ? chosen.file : null;
  useEffect(() => {
    if (!file) return;
    const stop = new AbortController();
    let url: string | undefined;
    void showPicture(file, stop.signal).then((shown) => {
      if (stop.signal.aborted) return;
      url = shown?.url;
      dispatch(shown ? { type: 'shown', file, ...shown } : { type: 'unshowable', file });
    });
    return () => {
      stop.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [file, dispatch]);
}
