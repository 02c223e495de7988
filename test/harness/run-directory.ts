import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A new, empty directory that goes away with the run. */
export async function newDirectory(name: string): Promise<string> {
  return mkdtemp(join(inject('runDirectory'), `${name}-`));
}
