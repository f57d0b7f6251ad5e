import { DrizzleQueryError } from 'drizzle-orm/errors';
import pg from 'pg';
import { expect, it } from 'vitest';
import { isConnectionLost } from './connection-lost.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });

it('knows a database that is away, however it is met [S2]', async () => {
  const refused = await new pg.Client({ host: '/nowhere' }).connect().catch((error: unknown) => error);
  for (const error of [
    refused,
    withCode('ECONNREFUSED'),
    withCode('57P01'),
    withCode('57P03'),
    withCode('08006'),
    new Error('Connection terminated unexpectedly'),
    new DrizzleQueryError('select 1', [], withCode('57P02')),
  ])
    expect(isConnectionLost(error)).toBe(true);
});

it('leaves errors of statements, files and our own alone', () => {
  for (const error of [null, 'ECONNRESET', new Error('x'), withCode('23505'), withCode('ENOENT', { syscall: 'open' })])
    expect(isConnectionLost(error)).toBe(false);
  expect(isConnectionLost(new DrizzleQueryError('select 1', [], withCode('40001')))).toBe(false);
});
