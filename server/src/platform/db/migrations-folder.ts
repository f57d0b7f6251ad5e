import { join } from 'node:path';

/** Where the migrations lie. */
export const migrationsFolder = (): string => join(import.meta.dirname, 'migrations');
