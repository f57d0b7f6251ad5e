import { eq } from 'drizzle-orm';
import type { Queries } from '../../db/open.ts';
import { operatorSettings } from '../../db/schema.ts';

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
