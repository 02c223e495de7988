import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TOKEN_BYTES = 32;

/**
 * The token with which the API authenticates to ingest to post rows for tenants; created once per
 * data directory.
 */
export function internalToken(dataDir: string): string {
  const file = join(dataDir, 'internal-token');
  try {
    // Fails if the file exists, whichever process created it.
    writeFileSync(file, randomBytes(TOKEN_BYTES).toString('base64url'), {
      flag: 'wx',
      mode: 0o600,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
