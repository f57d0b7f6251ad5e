import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { paymentEvents } from '../../platform/db/schema.ts';

/** Writes one line into the history of a payment. The body holds neither secrets nor names. */
export async function writeEvent(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  tx: Queries,
  paymentId: string | null,
  type: string,
  body: Record<string, unknown>,
): Promise<void> {
  const at = clock.now();
  await tx
    .insert(paymentEvents)
    .values({ id: `own:${ids.uuid()}`, paymentId, type, body, receivedAt: at, handledAt: at });
}
