import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/harness/longest-first.ts';

export default defineConfig({
  // Vite would take graphql's ES modules for our files, while its plugins load the ones that Node
  // takes; two copies of graphql refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{test,bench,embedded}/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Test files start processes and load native modules: a process per file keeps them apart.
    // They wait more than they work, so three at a time fill two cores.
    pool: 'forks',
    maxWorkers: 3,
    // Most of a test's time is waiting for rows to reach the warehouse, so many may wait at once.
    maxConcurrency: 20,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    allowOnly: process.env.CI === undefined,
  },
});
