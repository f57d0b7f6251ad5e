import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../platform/log.ts';

export const LIVE_PATH = '/livez';

/** A part that requests need; its check rejects while it cannot be used. */
type Check = (signal: AbortSignal) => Promise<unknown>;

/** Load balancers give a check a few seconds; ours says within two what is missing. */
const ANSWER_MS = 1_500;
/** An answer is reused for this time: anybody may ask, and a bucket counts requests. */
const FRESH_MS = 1_000;

/**
 * Mounts two answers for load balancers: `/livez` is 200 while the process runs, and `/healthz` while it can serve, else
 * 503 with the state of each part, `ok` or `missing`.
 */
export function mountHealth(
  app: FastifyInstance,
  version: string,
  log: Log,
  checks: Readonly<Record<string, Check>>,
): void {
  const parts = Object.entries(checks).map(([name, check]) => ({ name, isWell: shared(() => isWell(name, check)) }));

  async function isWell(name: string, check: Check): Promise<boolean> {
    try {
      await check(AbortSignal.timeout(ANSWER_MS));
      return true;
    } catch (error) {
      log.error({ err: error, part: name }, 'A part of the server does not answer');
      return false;
    }
  }

  app.get(LIVE_PATH, { logLevel: 'silent' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { ok: true };
  });

  app.get('/healthz', { logLevel: 'silent' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const answered = await Promise.all(
      parts.map(async ({ name, isWell }) => [name, await Promise.race([isWell(), late()])] as const),
    );
    const ok = answered.every(([, well]) => well);
    if (!ok) reply.code(503).header('retry-after', 5);
    return { ok, version, ...Object.fromEntries(answered.map(([name, well]) => [name, well ? 'ok' : 'missing'])) };
  });
}

const late = () => sleep(ANSWER_MS, false, { ref: false });

/** Runs one check at a time: a silent database must not collect a waiting statement with every question. */
function shared(check: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  return () => {
    if (running) return running;
    const own = check();
    running = own;
    own.then(() => sleep(FRESH_MS, undefined, { ref: false })).then(() => (running = null));
    return own;
  };
}
