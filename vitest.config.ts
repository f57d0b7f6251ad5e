import { defineConfig } from 'vitest/config';

/**
 * Tests of the engine and of the server convert pictures and start databases, which takes minutes on a loaded machine.
 */
const HEAVY = { testTimeout: 120_000, hookTimeout: 180_000 };

const project = (name: string, options: object = {}) => ({
  extends: true as const,
  test: { name, include: [`${name}/**/*.test.{ts,tsx,mjs}`], ...options },
});

export default defineConfig({
  test: {
    // Native code (sharp, the neural networks) and memory limits need processes; more than two only slow each other
    // down.
    pool: 'forks',
    // Nothing is fetched from anywhere, whatever a test starts.
    env: { DEPTH_MODEL: 'basic' },
    maxWorkers: 2,
    // Web tests simulate typing, which is slow on a loaded machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      project('contract'),
      project('texts'),
      project('engine', HEAVY),
      project('lab', HEAVY),
      project('server', { ...HEAVY, globalSetup: 'server/src/testing/database-server.ts' }),
      project('web'),
      project('frame'),
      project('scripts', HEAVY),
    ],
  },
});
