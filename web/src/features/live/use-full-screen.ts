import { type RefObject, useEffect, useState } from 'react';

type IphoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

/** Shows a part of the page on the whole screen; on an iPhone, which shows nothing else there, the video alone. */
export function useFullScreen(place: RefObject<HTMLElement | null>, video: () => HTMLVideoElement | undefined) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === place.current);
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, [place]);
  const toggle = () => {
    const element = place.current;
    if (document.fullscreenElement) void document.exitFullscreen();
    else if (element?.requestFullscreen) element.requestFullscreen().catch(() => {});
    else (video() as IphoneVideo | undefined)?.webkitEnterFullscreen?.();
  };
  return { isFull, toggle };
}
