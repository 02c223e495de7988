import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Creates an empty directory that is removed after the run. */
export async function newDirectory(name: string): Promise<string> {
  return mkdtemp(join(inject('runDirectory'), `${name}-`));
}
