import { type Dispatch, useEffect, useRef } from 'react';
import { call } from '../../api/client.ts';
import { sendMedia, type UploadOrder } from './send-media.ts';
import { isUploading, type UploadEvent, type UploadFlow } from './upload-flow.ts';

/** Runs the uploads requested by the flow, and aborts the one that the flow has left. */
export function useSending(flow: UploadFlow, dispatch: Dispatch<UploadEvent>): (order: UploadOrder) => void {
  const running = useRef<{ attempt: number; stop: AbortController } | null>(null);
  const uploading = isUploading(flow) && !flow.closed;

  useEffect(() => {
    if (running.current && (!uploading || running.current.attempt !== flow.attempt)) {
      running.current.stop.abort();
      running.current = null;
    }
  }, [uploading, flow.attempt]);
  useEffect(() => () => running.current?.stop.abort(), []);

  useEffect(() => {
    if (!uploading) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [uploading]);

  return (order) => {
    const attempt = flow.attempt + 1;
    const stop = new AbortController();
    dispatch({ type: 'start' });
    running.current = { attempt, stop };
    void sendMedia(call, order, { attempt, signal: stop.signal, tell: dispatch });
  };
}
