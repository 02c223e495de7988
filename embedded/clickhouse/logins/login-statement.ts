// The login statements that this process supports: exactly those that the API sends. Any other CREATE
// USER, GRANT and so on goes to the engine, which refuses it, since it cannot store users.

import {
  createStatements,
  dropStatements,
  LOGINS_QUESTION,
  sharedStatements,
  type WarehousePlace,
} from '../../../schema/analyst-login/statements.ts';

export type LoginStatement =
  /** A limit or right that all logins share; here the limits are this process's own. */
  | { readonly kind: 'shared' }
  | {
      readonly kind: 'create';
      readonly userName: string;
      readonly passwordHash: string;
      /** Has the tables. */
      readonly database: string;
    }
  | { readonly kind: 'wall'; readonly userName: string; readonly workspaceId: string }
  | { readonly kind: 'grant'; readonly userName: string }
  | { readonly kind: 'drop'; readonly userName: string }
  /** The user was dropped earlier, and its policies with it. */
  | { readonly kind: 'drop-policies' };

/** Undefined for any other statement. */
export function readLoginStatement(text: string): LoginStatement | undefined {
  // The statements that have no database are the same for any.
  const database = unquoted(
    / DEFAULT DATABASE `((?:[^`\\]|\\.)+)`| ON `((?:[^`\\]|\\.)+)`\./.exec(text),
  );
  const place: WarehousePlace = { database: database ?? 'default', cluster: undefined };
  if (sharedStatements(place).includes(text)) return { kind: 'shared' };
  const userName = /`(analyst_[a-z0-9]{12})`/.exec(text)?.[1];
  if (userName === undefined) return undefined;
  const passwordHash = / BY '([0-9a-f]{64})'/.exec(text)?.[1] ?? ''.padEnd(64, '0');
  const workspaceId = / workspace_id = '([0-9a-f-]{36})'/.exec(text)?.[1] ?? NO_WORKSPACE;
  // The statement is composed again and compared, so that no part of the text is overlooked.
  const [create, wall, grant] = createStatements({ userName, passwordHash, workspaceId }, place);
  const [drop, dropPolicies] = dropStatements({ userName }, place);
  if (text === create) return { kind: 'create', userName, passwordHash, database: place.database };
  if (text === wall) return { kind: 'wall', userName, workspaceId };
  if (text === grant) return { kind: 'grant', userName };
  if (text === drop) return { kind: 'drop', userName };
  return text === dropPolicies ? { kind: 'drop-policies' } : undefined;
}

/**
 * The query for the existing logins, with the result in place of the table. Other statements are returned
 * unchanged: the engine's own system.users contains the engine's users.
 */
export function withAnswer(
  statement: string,
  logins: readonly { readonly userName: string; readonly database: string }[],
): string {
  if (!statement.startsWith(LOGINS_QUESTION)) return statement;
  const rest = statement.slice(LOGINS_QUESTION.length);
  const rows = logins.map(({ userName, database }) => `('${userName}', '${database}')`);
  const table =
    rows.length === 0
      ? "(SELECT '' AS name, '' AS default_database WHERE 0)"
      : `values('name String, default_database String', ${rows.join(', ')})`;
  return `SELECT name, default_database FROM ${table}${rest}`;
}

const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

function unquoted(match: RegExpExecArray | null): string | undefined {
  return (match?.[1] ?? match?.[2])?.replaceAll(/\\(.)/g, '$1');
}
