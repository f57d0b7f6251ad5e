import { type Dispatch, useEffect } from 'react';
import { errorText } from '../../i18n/error-text.ts';
import { i18next } from '../../i18n/index.ts';
import { showAlert } from '../../ui/alerts.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { showPicture } from './show-picture.ts';
import { showVideo } from './show-video.ts';
import type { Chosen, UploadEvent } from './upload-flow.ts';

/** Prepares the chosen picture, or a still of the chosen video, for display, and releases it when another is chosen. */
export function useShownPicture(chosen: Chosen | null, dispatch: Dispatch<UploadEvent>): void {
  const file = chosen?.file;
  const show = chosen?.kind === 'video' ? showVideo : showPicture;
  useEffect(() => {
    if (!file) return;
    const stop = new AbortController();
    let url: string | undefined;
    show(file, stop.signal).then(
      (shown) => {
        if (stop.signal.aborted) return;
        url = shown?.url;
        dispatch(shown ? { type: 'shown', file, ...shown } : { type: 'unshowable', file });
      },
      () => {
        if (stop.signal.aborted) return;
        dispatch({ type: 'unreadable', file });
        const text = errorText('readerError');
        void showAlert({ title: i18next.t('upload:oops'), content: text, ms: UI_LIMITS.alertMs });
      },
    );
    return () => {
      stop.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [file, show, dispatch]);
}
