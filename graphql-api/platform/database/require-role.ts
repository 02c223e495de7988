import type { ClientBase } from 'pg';

export type DatabaseRole = 'service_app' | 'service_system';

/**
 * Rejects a new connection that has another role. Row-level security does not apply to superusers, the
 * owner of the tables and members of the system role, so tenants would silently not be isolated.
 */
export async function requireRole(client: ClientBase, role: DatabaseRole): Promise<void> {
  const { rows } = await client.query<Facts>(QUESTION);
  const { name, isBound, isApp, isSystem } = rows[0]!;
  const isRight = role === 'service_app' ? isBound && isApp && !isSystem : isSystem;
  if (!isRight) throw new Error(`the database role ${name} must be ${role} without further rights`);
}

type Facts = { name: string; isBound: boolean; isApp: boolean; isSystem: boolean };

const QUESTION = `
  SELECT current_user AS name, row_security_active('sdk_keys') AS "isBound",
         pg_has_role('service_app', 'USAGE') AS "isApp",
         pg_has_role('service_system', 'USAGE') AS "isSystem"`;
