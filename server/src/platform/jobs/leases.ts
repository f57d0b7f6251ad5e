import type { RunStatement } from './boss.ts';

/**
 * pg-boss 10 fails a job that has been active for longer than its expiry, but cannot prolong the expiry of one that is
 * still being worked on. These statements on its job table make the expiry a lease: a worker renews it while it lives,
 * a job can be handed back untried, and jobs of a process known to be dead are found. The retry count tells one lease
 * of a job from the next. They rely on pg-boss's table as it is in the pinned version.
 */

export interface Lease {
  readonly name: string;
  readonly id: string;
  readonly retryCount: number;
}

const LEASES = 'select * from unnest($1::text[], $2::uuid[], $3::int[])';
const columns = (leases: readonly Lease[]) => [
  leases.map(({ name }) => name),
  leases.map(({ id }) => id),
  leases.map(({ retryCount }) => retryCount),
];

/** Lets the leases begin anew. Answers the ids of those that are still held; the others have been taken away. */
export async function renew(run: RunStatement, leases: readonly Lease[]): Promise<Set<string>> {
  const { rows } = await run(
    `update pgboss.job set started_on = now()
      where state = 'active' and (name, id, retry_count) in (${LEASES}) returning id`,
    columns(leases),
  );
  return new Set(rows.map(({ id }) => String(id)));
}

/** Puts jobs back as if they had never been taken: it costs them no try. */
export async function handBack(run: RunStatement, leases: readonly Lease[]): Promise<void> {
  await run(
    `update pgboss.job set state = 'created', started_on = null
      where state = 'active' and (name, id, retry_count) in (${LEASES})`,
    columns(leases),
  );
}

/** Names of the queues in which a job could start now. */
export async function readyQueues(run: RunStatement): Promise<string[]> {
  const { rows } = await run(`select distinct name from pgboss.job where state < 'active' and start_after < now()`);
  return rows.map(({ name }) => String(name));
}

/** Every job that some process took and has not ended. */
export async function activeJobs(run: RunStatement): Promise<{ name: string; id: string }[]> {
  const { rows } = await run(`select name, id from pgboss.job where state = 'active'`);
  return rows.map(({ name, id }) => ({ name: String(name), id: String(id) }));
}
