// Restricts each login to its workspace. The engine cannot store users, but reads users, roles and row policies
// from a file when it starts. So each login has a place. The file contains a fixed number of places in advance.
// A place has:
//
// - a database `analyst_7`, with a view of each table and view that analysts read;
// - a role `analyst_7` that can read this database and nothing else: the connection of a request takes it;
// - a user `analyst_7`, with whose rights the views read the tables. Its row policies show it the rows of one
//   workspace, which the view `analyst_walls.analyst_7` names. No request connects as this user.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORED_TABLES, VIEWS } from '../../../schema/analyst-login/analyst-tables.ts';
import type { Engine } from '../engine.ts';
import { quoted } from '../scope.ts';

/** Logins of one embedded engine. A real ClickHouse has no such limit. */
export const PLACES = 64;
/** The database of the tables, referenced by the row policies in the file. */
export const TABLES_DATABASE = 'default';

const WALLS = 'analyst_walls';
/** Has all rights; a connection has it unless it takes the role of a place. */
const SERVICE_ROLE = 'service';

/** Also the name of its database, role and user. */
export function placeName(place: number): string {
  return `analyst_${place}`;
}

/**
 * Writes the files from which the engine reads its users, roles and row policies. Returns its arguments, which name
 * them. The engine reads the second file only if there is the first, which has the given elements.
 */
export function placesArguments(directory: string, configuration: string): readonly string[] {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const [config, users] = [join(directory, 'config.xml'), join(directory, 'users.xml')];
  writeFileSync(config, `<clickhouse>${configuration}</clickhouse>\n`, { mode: 0o600 });
  writeFileSync(users, placesFile(), { mode: 0o600 });
  return [`--config-file=${config}`, `--users_config=${users}`];
}

/** Creates the database of a place, and its row policies for the workspace. */
export async function furnishPlace(
  { run }: Pick<Engine, 'run'>,
  place: number,
  workspaceId: string,
): Promise<void> {
  const name = placeName(place);
  const command = (statement: string) => run(NO_SCOPE, statement, 'Null');
  await clearPlace({ run }, place);
  await command(`CREATE DATABASE IF NOT EXISTS ${WALLS}`);
  await command(
    `CREATE OR REPLACE VIEW ${WALLS}.${name} AS SELECT toUUID(${quoted(workspaceId, "'")}) AS workspace_id`,
  );
  await command(`CREATE DATABASE ${name}`);
  const there = await run(
    NO_SCOPE,
    `SELECT name FROM system.tables WHERE database = '${TABLES_DATABASE}'`,
    'TSV',
  );
  const tables = new Set(Buffer.from(there.bytes).toString('utf8').split('\n'));
  for (const table of [...STORED_TABLES, ...VIEWS]) {
    if (!tables.has(table)) continue;
    await command(
      `CREATE VIEW ${name}.${table} DEFINER = ${name} SQL SECURITY DEFINER
       AS SELECT * FROM ${TABLES_DATABASE}.${table} WHERE workspace_id = ${quoted(workspaceId, "'")}`,
    );
  }
}

export async function clearPlace({ run }: Pick<Engine, 'run'>, place: number): Promise<void> {
  await run(NO_SCOPE, `DROP DATABASE IF EXISTS ${placeName(place)} SYNC`, 'Null');
  await run(NO_SCOPE, `DROP VIEW IF EXISTS ${WALLS}.${placeName(place)} SYNC`, 'Null');
}

const NO_SCOPE = { settings: new Map(), parameters: new Map(), database: undefined };

function placesFile(): string {
  const names = Array.from({ length: PLACES }, (_, index) => placeName(index + 1));
  const users = names.map(name =>
    user(name, `workspace_id IN (SELECT workspace_id FROM ${WALLS}.${name})`, [
      `GRANT SELECT ON ${TABLES_DATABASE}.*`,
      `GRANT SELECT ON ${WALLS}.${name}`,
    ]),
  );
  return `<clickhouse>
<profiles><default></default></profiles>
<quotas><default></default></quotas>
<roles>
${role(SERVICE_ROLE, 'GRANT ALL ON *.*')}
${names.map(name => role(name, `GRANT SELECT ON ${name}.*`)).join('\n')}
</roles>
<users>
${user('default', '1', [`GRANT ${[SERVICE_ROLE, ...names].join(', ')}`])}
${users.join('\n')}
</users>
</clickhouse>
`;
}

function role(name: string, grant: string): string {
  return `<${name}><grants><query>${grant}</query></grants></${name}>`;
}

/** `filter`: the rows of each table that the user sees. */
function user(name: string, filter: string, grants: readonly string[]): string {
  const policies = STORED_TABLES.map(table => `<${table}><filter>${filter}</filter></${table}>`);
  return [
    `<${name}><no_password/><networks><ip>::/0</ip></networks>`,
    '<profile>default</profile><quota>default</quota>',
    `<databases><${TABLES_DATABASE}>${policies.join('')}</${TABLES_DATABASE}></databases>`,
    `<grants>${grants.map(grant => `<query>${grant}</query>`).join('')}</grants></${name}>`,
  ].join('');
}
