import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';

/** For load balancers: 200 while this process can reach its database. */
export function mountHealth(app: FastifyInstance, context: Context): void {
  app.get('/healthz', { logLevel: 'silent' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    try {
      await context.db.execute(sql`select 1`);
      return { ok: true, version: context.settings.version };
    } catch (error) {
      context.log.error({ err: error }, 'The database does not answer');
      return reply.code(503).send({ ok: false });
    }
  });
}
