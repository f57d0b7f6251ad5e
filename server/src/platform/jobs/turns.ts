import { and, eq, max, sql } from 'drizzle-orm';
import type { Queries } from '../db/open.ts';
import { jobTurns } from '../db/schema.ts';
import type { JobUser } from './job.ts';

/*
 * Queues that users share are fair: of the waiting jobs, the next is one of the user who was served least recently, so
 * nobody who waits has to wait for more than one job of another user. Every start of a job is a turn of its user, and
 * turns are numbered. pg-boss takes the job of the highest priority first, so the priority of a waiting job is minus its
 * user's last turn, and it is lowered with each turn. A race between two starts can only move one job by one turn.
 */

/** Users remembered per queue. Who was served before all of them counts as never served. */
const REMEMBERED_USERS = 1000;

/**
 * Returns the priority of a new job. A guest who was never served queues just before the user served last: new guest
 * accounts cost nothing, so they must not come before everybody who was served before.
 */
export async function priorityOf(db: Queries, queue: string, { id, isGuest }: JobUser): Promise<number> {
  const own = and(eq(jobTurns.queue, queue), eq(jobTurns.user, id));
  const [row] = await db.select({ turn: jobTurns.turn }).from(jobTurns).where(own);
  if (row) return -2 * row.turn;
  if (!isGuest) return 0;
  const [last] = await db
    .select({ turn: max(jobTurns.turn) })
    .from(jobTurns)
    .where(eq(jobTurns.queue, queue));
  return Math.min(0, 1 - 2 * (last?.turn ?? 0));
}

/**
 * Records that a job of this user starts: the user's jobs, also this one if it is tried again, go behind those of all
 * others.
 */
export async function takeTurn(db: Queries, queue: string, user: string): Promise<void> {
  await db.execute(sql`
    with last as (select coalesce(max(turn), 0) as turn from job_turns where queue = ${queue}),
    forgotten as (
      delete from job_turns using last
      where queue = ${queue} and "user" <> ${user} and job_turns.turn <= last.turn - ${REMEMBERED_USERS}
    ),
    own as (
      insert into job_turns (queue, "user", turn) select ${queue}, ${user}, turn + 1 from last
      on conflict (queue, "user") do update set turn = excluded.turn
      returning turn
    )
    update pgboss.job set priority = -2 * own.turn from own
    where name = ${queue} and group_id = ${user} and state <= 'active'`);
}
