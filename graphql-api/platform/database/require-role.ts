import type { ClientBase } from 'pg';

export type DatabaseRole = 'service_app' | 'service_system';

/**
 * Row-level security binds neither superusers nor the tables' owner, and a member of the system role
 * sees every tenant: as one of them the application role would lack its second wall, without any
 * error. So each new connection is asked what it is, and refused when it is something else.
 */
export async function requireRole(client: ClientBase, role: DatabaseRole): Promise<void> {
  const { rows } = await client.query<Facts>(QUESTION);
  const { name, isBound, isApp, isSystem } = rows[0]!;
  const isRight = role === 'service_app' ? isBound && isApp && !isSystem : isSystem;
  if (!isRight) throw new Error(`the database role ${name} is not ${role} or no more than it`);
}

type Facts = { name: string; isBound: boolean; isApp: boolean; isSystem: boolean };

const QUESTION = `
  SELECT current_user AS name, row_security_active('sdk_keys') AS "isBound",
         pg_has_role('service_app', 'USAGE') AS "isApp",
         pg_has_role('service_system', 'USAGE') AS "isSystem"`;
