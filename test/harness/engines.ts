import { inject } from 'vitest';
import type { Engines } from './environments.ts';

/** The databases and the directory of this run. */
export function engines(): Engines {
  return {
    databaseUrls: inject('databaseUrls'),
    clickhouseUrl: inject('clickhouseUrl'),
    runDirectory: inject('runDirectory'),
  };
}
