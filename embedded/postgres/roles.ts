import pg from 'pg';
import type { DatabaseUrls } from '../../schema/environment/database-urls.ts';
import { LOOPBACK } from '../ports.ts';
import { type Passwords, SUPERUSER } from './cluster.ts';

const DATABASE = 'service';

/** The owner creates the tables; the other two roles only use them, under row-level security. */
const ROLES = [
  { name: 'service_owner', password: 'owner', attributes: 'CREATEDB' },
  { name: 'service_app', password: 'app', attributes: 'NOCREATEDB' },
  { name: 'service_system', password: 'system', attributes: 'NOCREATEDB' },
] as const;

/**
 * Creates or corrects the roles and the database. Runs at every start, so it also repairs the state after a
 * crash.
 */
export async function ensureRoles(port: number, passwords: Passwords): Promise<DatabaseUrls> {
  const client = new pg.Client({
    host: LOOPBACK,
    port,
    user: SUPERUSER,
    password: passwords.superuser,
    database: 'postgres',
  });
  await client.connect();
  try {
    for (const role of ROLES) {
      if (!(await exists(client, 'SELECT FROM pg_roles WHERE rolname = $1', role.name))) {
        await client.query(`CREATE ROLE ${role.name}`);
      }
      await client.query(
        `ALTER ROLE ${role.name} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOREPLICATION ` +
          `${role.attributes} PASSWORD ${client.escapeLiteral(passwords[role.password])}`,
      );
    }
    // Lets connections as the owner switch to these roles.
    await client.query(
      'GRANT service_app, service_system TO service_owner WITH INHERIT FALSE, SET TRUE',
    );
    if (!(await exists(client, 'SELECT FROM pg_database WHERE datname = $1', DATABASE))) {
      await client.query(`CREATE DATABASE ${DATABASE} OWNER service_owner`);
    }
  } finally {
    await client.end();
  }
  return urlsOf(port, passwords);
}

export function urlsOf(port: number, passwords: Passwords): DatabaseUrls {
  const url = (name: string, password: string) =>
    `postgres://${name}:${password}@${LOOPBACK}:${port}/${DATABASE}`;
  return {
    owner: url('service_owner', passwords.owner),
    app: url('service_app', passwords.app),
    system: url('service_system', passwords.system),
  };
}

async function exists(client: pg.Client, query: string, name: string): Promise<boolean> {
  return ((await client.query(query, [name])).rowCount ?? 0) > 0;
}
