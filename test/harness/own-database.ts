import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { sql } from './tenant.ts';

/**
 * A separate migrated database, for tests of global state, such as the origins allowed by any key.
 */
export async function ownDatabase(): Promise<{ owner: string; app: string; system: string }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await sql(`CREATE DATABASE ${name} TEMPLATE ${inject('databaseTemplate')}`);
  const { owner, app, system } = inject('databaseUrls');
  return {
    owner: withDatabase(owner, name),
    app: withDatabase(app, name),
    system: withDatabase(system, name),
  };
}

function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
