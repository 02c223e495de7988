import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TOKEN_BYTES = 32;

/** What the API shows ingest to post in tenants' names; made once for a data directory. */
export function internalToken(dataDir: string): string {
  const file = join(dataDir, 'internal-token');
  try {
    // Fails where there is one already, whoever was first.
    writeFileSync(file, randomBytes(TOKEN_BYTES).toString('base64url'), {
      flag: 'wx',
      mode: 0o600,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
