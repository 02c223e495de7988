// Logins for two workspaces in the ClickHouse of the test run, each with rows that the other must
// not see.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { STORED_TABLES } from '../../../../schema/analyst-login/analyst-tables.ts';
import {
  createStatements,
  dropStatements,
  sharedStatements,
} from '../../../../schema/analyst-login/statements.ts';
import { type Answer, type Request, send } from '../../../../test/harness/http.ts';

export const PLACE = { database: 'default', cluster: undefined };

export type TestLogin = {
  readonly workspaceId: string;
  readonly userName: string;
  readonly password: string;
  /** Runs a statement with this login. */
  ask(statement: string, parameters?: Record<string, string>, request?: Request): Promise<Answer>;
  end(): Promise<void>;
};

export async function makeLogin(url: string, workspaceId: string): Promise<TestLogin> {
  const userName = `analyst_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('base64url');
  const passwordHash = createHash('sha256').update(password).digest('hex');
  const statements = createStatements({ userName, passwordHash, workspaceId }, PLACE);
  for (const statement of [...sharedStatements(PLACE), ...statements]) await ask(url, statement);
  const authorization = `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`;
  return {
    workspaceId,
    userName,
    password,
    ask: (statement, parameters = {}, request = {}) =>
      send(`${url}/?${new URLSearchParams(parameters).toString()}`, {
        ...request,
        headers: { authorization, ...request.headers },
        body: request.body ?? statement,
      }),
    async end() {
      for (const statement of dropStatements({ userName }, PLACE)) await ask(url, statement);
    },
  };
}

/** Runs a statement as the service, with all permissions. */
export async function ask(url: string, statement: string): Promise<string> {
  const answer = await send(`${url}/`, { body: statement });
  if (answer.status !== 200) throw new Error(`${statement}: ${answer.text}`);
  return answer.text;
}

/** A workspace with rows in every table. It has `rows` events, which contain the mark. */
export async function fillWorkspace(url: string, mark: string, rows: number): Promise<string> {
  const workspaceId = randomUUID();
  for (const table of STORED_TABLES.filter(name => !name.startsWith('events_')))
    await ask(url, `INSERT INTO ${table} (workspace_id) SELECT toUUID('${workspaceId}')`);
  // An event of a future turn, which the view `events` does not show.
  await ask(
    url,
    `INSERT INTO events_late (workspace_id, turn) SELECT toUUID('${workspaceId}'), 18446744073709551615`,
  );
  await ask(
    url,
    `INSERT INTO events_raw (workspace_id, type, event, message_id, user_id, timestamp, properties)
     SELECT toUUID('${workspaceId}'), 'track', '${mark}', '${mark}' || number, '${mark}' || number,
            toDateTime64('2026-01-01 00:00:00', 3) + number, '{"x":"${mark}"}'
     FROM numbers(${rows})`,
  );
  return workspaceId;
}
