import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/harness/longest-first.ts';
import { QUICK_START_ARGS } from './test/harness/quick-start.ts';

export default defineConfig({
  test: {
    // Node itself loads our files, as it does in production; nothing here is mocked or transformed.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [...QUICK_START_ARGS],
    include: ['{test,bench,embedded}/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Each worker is a process that runs one file after the other. A process per file would load the
    // same modules 300 times, a fifth of all CPU. A file must undo what it changes in its process.
    // Files wait more than they work, so three at a time fill two cores.
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    // Most of a test's time is waiting for rows to reach the warehouse, so many may wait at once.
    maxConcurrency: 20,
    // Only a hanging test takes this long: waits have their own deadline (test/harness/eventually.ts).
    testTimeout: 600_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    // The default of a second is too short on a busy machine. Only a failing test takes this long.
    expect: { poll: { timeout: 120_000 } },
    allowOnly: process.env.CI === undefined,
  },
});
