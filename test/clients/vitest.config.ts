import { defineConfig } from 'vitest/config';
import { QUICK_START_ARGS } from '../harness/quick-start.ts';

/**
 * For npm run test:clients. These files are not part of npm test, because they install packages.
 */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [...QUICK_START_ARGS],
    include: ['test/clients/**/*.run.ts'],
    globalSetup: ['test/harness/global-setup.ts', 'test/clients/install-once.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    teardownTimeout: 60_000,
  },
});
