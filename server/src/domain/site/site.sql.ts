import type { FeatureSwitches } from '@framelift/contract';
import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { features, operatorSettings } from '../../platform/db/schema.ts';

export async function readSetting(db: Queries, name: string): Promise<unknown> {
  const [row] = await db.select().from(operatorSettings).where(eq(operatorSettings.name, name));
  return row?.value ?? null;
}

export async function writeSetting(db: Queries, name: string, value: unknown, changedAt: Date): Promise<void> {
  await db
    .insert(operatorSettings)
    .values({ name, value, changedAt })
    .onConflictDoUpdate({ target: operatorSettings.name, set: { value, changedAt } });
}

/** Locks a setting until the transaction ends, also one that is not set, and returns its value. */
export async function lockSetting(tx: Queries, name: string, now: Date): Promise<unknown> {
  await tx.insert(operatorSettings).values({ name, value: {}, changedAt: now }).onConflictDoNothing();
  const [row] = await tx.select().from(operatorSettings).where(eq(operatorSettings.name, name)).for('update');
  return row?.value ?? null;
}

export function listFeatures(db: Queries) {
  return db.select({ name: features.name, state: features.state }).from(features);
}

export async function writeFeatures(db: Queries, states: Partial<FeatureSwitches>, changedAt: Date): Promise<void> {
  const rows = Object.entries(states).map(([name, state]) => ({ name, state, changedAt }));
  if (rows.length === 0) return;
  await db
    .insert(features)
    .values(rows)
    .onConflictDoUpdate({ target: features.name, set: { state: sql`excluded.state`, changedAt } });
}
