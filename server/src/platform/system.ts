import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Ids } from '../context.ts';

export const systemClock: Clock = { now: () => new Date(), elapsedMs: () => performance.now() };

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
};
