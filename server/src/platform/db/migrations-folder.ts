import { join } from 'node:path';

/** Absolute path of the migrations folder. */
export const migrationsFolder = (): string => join(import.meta.dirname, 'migrations');
