// A login sees the rows of its own workspace, and neither rows nor counts of another one.

import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createStatements, dropStatements } from '../../../../schema/analyst-login/statements.ts';
import { type Answer, send } from '../../../../test/harness/http.ts';
import { OWN, REFUSED } from './attacks.ts';
import { ask, fillWorkspace, makeLogin, PLACE, type TestLogin } from './login.ts';

const url = inject('clickhouseUrl');
const MARK = 'THEIRS';
/** A number that no response contains by chance. */
const THEIR_ROWS = 4321;

let mine: TestLogin;
let theirs: TestLogin;
let databases: { own: string; db: string };

beforeAll(async () => {
  mine = await makeLogin(url, await fillWorkspace(url, 'OURS', 3));
  theirs = await makeLogin(url, await fillWorkspace(url, MARK, THEIR_ROWS));
  // One part, so that the rows of both are in one granule.
  await ask(
    url,
    `INSERT INTO in_app_events_raw (workspace_id, campaign_id, event_key, user_id)
     SELECT toUUID(number % 2 ? '${mine.workspaceId}' : '${theirs.workspaceId}'), 'c',
            toString(number), number % 2 ? 'OURS' : '${MARK}' FROM numbers(${2 * THEIR_ROWS})`,
  );
  const databaseOf = async (login: TestLogin) =>
    (await login.ask('SELECT currentDatabase()')).text.trim();
  databases = { own: await databaseOf(mine), db: await databaseOf(theirs) };
});

afterAll(async () => {
  for (const login of [mine, theirs]) {
    await login.end();
    await ask(url, `DELETE FROM events_raw WHERE workspace_id = '${login.workspaceId}'`);
  }
});

test.concurrent.each(REFUSED)('refused: %s', async statement => {
  const answer = await mine.ask(filled(statement));
  expectNothingOfTheirs(answer);
  // Refused for its content, not for the number of concurrent statements.
  expect(answer.text).toMatch(/^Code: (?!202)\d+\. DB::Exception: /);
  expect(answer.status).toBeGreaterThanOrEqual(400);
});

test.concurrent.each(OWN)('its own: %s', async (statement, text) => {
  const answer = await mine.ask(filled(statement));
  expectNothingOfTheirs(answer);
  if (text !== '') expect(answer.text).toBe(filled(text));
});

test('a predicate is evaluated for its own rows only, also in a granule with others', async () => {
  const { text } = await mine.ask(
    `SELECT count() FROM in_app_events_raw WHERE NOT throwIf(user_id = '${MARK}') AND campaign_id = 'c'`,
  );
  expect(text).toBe(`${THEIR_ROWS}\n`);
  const failing = await mine.ask(
    "SELECT toUInt64(user_id) FROM in_app_events_raw WHERE campaign_id = 'c'",
  );
  expect(failing.text).toContain("Cannot parse string 'OURS' as UInt64");
});

test.each([
  ['readonly', '0'],
  ['readonly', '2'],
  ['role', 'service'],
  ['max_memory_usage', '0'],
  ['max_execution_time', '0'],
])('the parameter %s=%s lifts no restriction', async (name, value) => {
  const asked = { [name]: value };
  const own = await mine.ask('SELECT count() FROM events', asked);
  expect(own.text).toBe('3\n');
  expect((await mine.ask('SET max_threads = 1', asked)).status).toBe(500);
  const limits = await mine.ask("SELECT getSetting('readonly')", asked);
  expect(limits.status).toBe(403);
  const settings = await mine.ask(
    "SELECT value FROM system.settings WHERE name IN ('readonly', 'max_execution_time') ORDER BY name",
    asked,
  );
  expect(settings.text).toBe('120\n1\n');
});

test.each([
  ['additional_table_filters', "{'events_raw':'1'}"],
  ['additional_result_filter', '1 IN (SELECT 1 FROM default.events_raw)'],
  ['implicit_table_at_top_level', 'default.events_raw'],
  ['dialect', 'kusto'],
  ['format_schema', 'logins.json'],
  ['format_template_resultset', 'logins.json'],
  ['output_format_schema', 'x'],
  ['max_rows_to_read', '1'],
  ['allow_introspection_functions', '1'],
  ['implicit_select', '1'],
])('the parameter %s is refused', async (name, value) => {
  const answer = await mine.ask('SELECT 1', { [name]: value });
  expect(answer.text).toContain(`Cannot modify '${name}' setting in readonly mode`);
});

test.each(['system', 'analyst_walls', 'information_schema'])(
  'the database %s cannot be chosen',
  async database => {
    expect((await mine.ask('SELECT 1', { database })).status).toBe(403);
  },
);

test('a parameter of a statement cannot name what the statement could not', async () => {
  const as = (statement: string, t: string) => mine.ask(statement, { param_t: t });
  for (const t of ['default.events_raw', `${databases.db}.events`, 'system.processes'])
    expect((await as('SELECT * FROM {t:Identifier}', t)).status).toBeGreaterThanOrEqual(400);
  for (const t of ['file', 'getServerSetting'])
    expect(
      (await as("SELECT arrayMap({t:Identifier}, ['logins.json'])", t)).status,
    ).toBeGreaterThanOrEqual(400);
  const injected = await as('SELECT count() FROM events WHERE user_id = {t:String}', "' OR 1 --");
  expect(injected.text).toBe('0\n');
  expect((await as('SELECT count() FROM {t:Identifier}', 'events')).text).toBe('3\n');
});

test('the same restrictions apply by GET, in the URL, compressed and in parts', async () => {
  const headers = { authorization: basic(mine.userName, mine.password) };
  const statement = 'SELECT count() FROM default.events_raw';
  const own = 'SELECT count() FROM events';
  const get = (query: string) =>
    send(`${url}/?${new URLSearchParams({ query }).toString()}`, { method: 'GET', headers });
  const zipped = (query: string) =>
    send(`${url}/`, { body: gzipSync(query), headers: { ...headers, 'content-encoding': 'gzip' } });
  const halves = (query: string) =>
    send(`${url}/?${new URLSearchParams({ query: query.slice(0, 7) }).toString()}`, {
      body: query.slice(7),
      headers,
    });
  for (const way of [get, zipped, halves]) {
    expect((await way(statement)).status).toBe(403);
    expect((await way(own)).text).toBe('3\n');
  }
});

test('sessions of the service are inaccessible, and no session is stored', async () => {
  const session_id = `session ${mine.userName}`;
  await send(`${url}/?${new URLSearchParams({ session_id }).toString()}`, {
    body: 'CREATE TEMPORARY TABLE theirs AS SELECT 4321 AS n',
  });
  expect((await mine.ask('SELECT * FROM theirs', { session_id })).status).toBe(404);
  expect((await mine.ask('SELECT count() FROM events', { session_id })).text).toBe('3\n');
});

test('responses do not contain the number of rows read', async () => {
  const json = await mine.ask(
    "SELECT count() FROM in_app_events_raw WHERE campaign_id = 'c' FORMAT JSON",
  );
  expect(json.json()).not.toHaveProperty('statistics');
  const { headers } = await mine.ask(
    "SELECT count() FROM in_app_events_raw WHERE campaign_id = 'c'",
  );
  expect(JSON.parse(headers['x-clickhouse-summary'] as string)).toMatchObject({ read_rows: '1' });
});

test('the three ways to name user and password, and nothing but the right password', async () => {
  const { userName: user, password } = mine;
  const asked = async (
    headers: Record<string, string>,
    parameters: Record<string, string> = {},
  ) => {
    const address = `${url}/?${new URLSearchParams(parameters).toString()}`;
    return (await send(address, { body: 'SELECT count() FROM events', headers })).text;
  };
  expect(await asked({ authorization: basic(user, password) })).toBe('3\n');
  expect(await asked({ 'x-clickhouse-user': user, 'x-clickhouse-key': password })).toBe('3\n');
  expect(await asked({}, { user, password })).toBe('3\n');
  const refused = /^Code: 516\. .*\(AUTHENTICATION_FAILED\)/;
  expect(await asked({ authorization: basic(user, `${password}x`) })).toMatch(refused);
  expect(await asked({ authorization: basic(user, '') })).toMatch(refused);
  expect(await asked({ 'x-clickhouse-user': user })).toMatch(refused);
  expect(await asked({}, { user, password: theirs.password })).toMatch(refused);
  expect(await asked({}, { user: 'analyst_000000000000', password })).toMatch(refused);
});

test('an ended login is refused, and another login gets its place without its rows', async () => {
  const gone = await makeLogin(url, theirs.workspaceId);
  expect((await gone.ask('SELECT count() FROM events')).text).toBe(`${THEIR_ROWS}\n`);
  await gone.end();
  expect((await gone.ask('SELECT count() FROM events')).text).toContain('AUTHENTICATION_FAILED');
  await gone.end();
});

test('a login cannot read before the last statement of its creation has run', async () => {
  const userName = `analyst_${randomBytes(6).toString('hex')}`;
  const password = 'half';
  const passwordHash = createHash('sha256').update(password).digest('hex');
  const login = { userName, passwordHash, workspaceId: mine.workspaceId };
  const [create, wall, grant] = createStatements(login, PLACE);
  const count = async () =>
    (
      await mine.ask(
        'SELECT count() FROM events',
        {},
        { headers: { authorization: basic(userName, password) } },
      )
    ).text;
  await expect(ask(url, wall!)).rejects.toThrow('UNKNOWN_USER');
  await expect(ask(url, grant!)).rejects.toThrow('UNKNOWN_USER');
  await ask(url, create!);
  expect(await count()).toContain('ACCESS_DENIED');
  await ask(url, grant!);
  expect(await count()).toContain('ACCESS_DENIED');
  await ask(url, wall!);
  expect(await count()).toBe('3\n');
  for (const statement of dropStatements(login, PLACE)) await ask(url, statement);
});

function filled(text: string): string {
  return text
    .replaceAll('{their}', theirs.workspaceId)
    .replaceAll('{db}', databases.db)
    .replaceAll('{own}', databases.own)
    .replaceAll('{mark}', MARK);
}

/** The error may repeat the text of the statement. */
function expectNothingOfTheirs({ text, headers }: Answer): void {
  expect(text).not.toMatch(/THEIRS\d|\b(?:4321|4324)\b/);
  expect(headers['x-clickhouse-summary'] ?? '').not.toMatch(/"(?:4321|4324)"/);
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
