import { type Dispatch, useEffect, useRef } from 'react';
import type { Item, ManyEvent } from './many-flow.ts';
import { showPicture } from './show-picture.ts';
import { showVideo } from './show-video.ts';
import { thumbnailOf } from './thumbnail.ts';

/** Prepares the small copies of the items, one after the other, and releases those of removed ones. */
export function useThumbnails(items: readonly Item[], dispatch: Dispatch<ManyEvent>): void {
  const loading = items.find(({ shown }) => shown.state === 'loading');
  const key = loading?.key;
  const file = loading?.file;
  const kind = loading?.kind;
  const edit = loading?.edit;
  useEffect(() => {
    if (key === undefined || !file || !edit) return;
    const stop = new AbortController();
    const show = async () => {
      const picture = await (kind === 'video' ? showVideo : showPicture)(file, stop.signal);
      return picture && thumbnailOf(picture, edit).catch(() => null);
    };
    show().then(
      (thumbnail) => {
        if (stop.signal.aborted) {
          if (thumbnail) URL.revokeObjectURL(thumbnail.url);
        } else
          dispatch({
            type: 'shown',
            key,
            shown: thumbnail ? { state: 'ready', ...thumbnail } : { state: 'unshowable' },
          });
      },
      () => {
        if (!stop.signal.aborted) dispatch({ type: 'unreadable', key });
      },
    );
    return () => stop.abort();
  }, [key, file, kind, edit, dispatch]);

  const urls = useRef(new Set<string>());
  useEffect(() => {
    const used = new Set(items.flatMap(({ shown }) => (shown.state === 'ready' ? [shown.url] : [])));
    for (const url of urls.current) if (!used.has(url)) URL.revokeObjectURL(url);
    urls.current = used;
  }, [items]);
  useEffect(
    () => () => {
      for (const url of urls.current) URL.revokeObjectURL(url);
      urls.current.clear();
    },
    [],
  );
}
