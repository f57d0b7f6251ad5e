import { type Client, MEDIA_TYPE } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type Dispatch, useEffect, useRef } from 'react';
import { call } from '../../api/client.ts';
import { effectsQuery } from '../../api/device-types.ts';
import { patientCall } from '../../shared/patient-call.ts';
import { effectOf } from './device-type-choice.ts';
import { type Item, isBusy, isWaiting, type ManyEvent, type ManyFlow } from './many-flow.ts';
import { sendMedia, type UploadOrder } from './send-media.ts';
import type { SendingReport } from './upload-flow.ts';

export type ItemOrder = Pick<UploadOrder, 'deviceTypeId' | 'crop' | 'ground' | 'to'>;

/**
 * Uploads the waiting items of a running flow, one after the other, and aborts the one that is cancelled.
 * @param orderOf the settings of an item
 * @param percent strength of all of them; a device type that does not offer it gets its default
 * @param client makes the calls of `sendMedia`; the same on every render
 */
export function useSendingMany(
  flow: ManyFlow,
  dispatch: Dispatch<ManyEvent>,
  orderOf: (item: Item) => ItemOrder,
  percent: number | undefined,
  client: Client['call'] = call,
): void {
  const queries = useQueryClient();
  const current = useRef<{ attempt: number; stop: AbortController } | null>(null);
  const busy = flow.items.some(isBusy);
  const next = flow.running && !busy ? flow.items.find(isWaiting) : undefined;

  useEffect(() => {
    if (current.current && (!busy || current.current.attempt !== flow.attempt)) {
      current.current.stop.abort();
      current.current = null;
    }
  }, [busy, flow.attempt]);
  useEffect(() => () => current.current?.stop.abort(), []);

  const latest = useRef({ orderOf, percent });
  latest.current = { orderOf, percent };
  const { attempt } = flow;
  useEffect(() => {
    if (!next) return;
    const { key, kind, file, ticket } = next;
    const stop = new AbortController();
    const own = { attempt: attempt + 1, stop };
    const tell = (report: SendingReport) => dispatch({ type: 'report', key, report });
    dispatch({ type: 'send', key });
    current.current = own;
    const { orderOf, percent } = latest.current;
    const order = orderOf(next);
    const patient = patientCall(client, { onWaiting: () => tell({ type: 'waiting', attempt: own.attempt }) });
    const choosing = queries
      .ensureQueryData(effectsQuery(order.deviceTypeId, MEDIA_TYPE[kind]))
      .then((offered) => effectOf(offered, percent)?.id ?? 0);
    choosing.then(
      (effectId) => {
        if (stop.signal.aborted) return;
        const { signal } = stop;
        void sendMedia(patient, { ...order, file, kind, effectId, ticket }, { attempt: own.attempt, signal, tell });
      },
      (error: Error) => {
        const failure = { title: null, message: error.message, next: 'retry' } as const;
        tell({ type: 'failed', attempt: own.attempt, failure, ticket });
      },
    );
  }, [next, attempt, dispatch, queries, client]);

  const unfinished = flow.running;
  useEffect(() => {
    if (!unfinished) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unfinished]);
}
