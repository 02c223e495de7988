// Before the tests of npm run test:clients: several files use the packages.

import type { TestProject } from 'vitest/node';
import { installClients } from './install.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The sources whose packages could not be installed. */
    missingClients: readonly string[];
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const missing = await installClients();
  for (const [source, problem] of missing)
    process.stdout.write(`Skipped all clients from ${source}. ${problem}\n`);
  project.provide('missingClients', [...missing.keys()]);
}
