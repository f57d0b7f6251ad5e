import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Db } from '../platform/db/open.ts';
import * as schema from '../platform/db/schema.ts';

/** The process ends here. */
class Crash extends Error {}

/** The steps of one process: statements and calls. It ends before or after one of them, and does nothing more. */
export interface Life {
  /** How many steps are left; Infinity for a process that lives. */
  left: number;
}

/** Makes a function one step before what it does, and one after. */
export function mortal<Args extends unknown[], Result>(
  life: Life,
  task: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const step = () => {
    life.left -= 1;
    if (life.left <= 0) throw new Crash('The process has ended');
  };
  return async (...args) => {
    step();
    const result = await task(...args);
    step();
    return result;
  };
}

/**
 * Returns the database as a process sees it that can end between any two statements, also inside a transaction: what was
 * not committed then is undone, as PostgreSQL does when it loses the connection.
 */
export function openMortalDb(pool: pg.Pool, life: Life): Db {
  const wrap = <T extends pg.Pool | pg.PoolClient>(target: T, more: object): T =>
    new Proxy(target, {
      get(_, name) {
        if (Object.hasOwn(more, name)) return Reflect.get(more, name);
        if (name === 'query')
          return mortal(life, target.query.bind(target) as (...args: unknown[]) => Promise<unknown>);
        return Reflect.get(target, name);
      },
    });
  const connect = async () => {
    const client = await pool.connect();
    const release = () => {
      if (life.left > 0) client.release();
      else void client.query('rollback').finally(() => client.release());
    };
    const send = mortal(life, client.query.bind(client) as (...args: unknown[]) => Promise<unknown>);
    const query = async (...args: unknown[]) => {
      try {
        return await send(...args);
      } catch (error) {
        // Drizzle does not release a connection on which no transaction could be begun.
        if (/^begin/.test((args[0] as { text?: string }).text ?? '')) release();
        throw error;
      }
    };
    return wrap(client, { release, query });
  };
  return drizzle(wrap(pool, { connect }), { schema });
}
