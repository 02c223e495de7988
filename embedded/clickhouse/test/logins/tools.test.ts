// Queries of analysts and their tools succeed; functions that access anything else are refused; logins
// survive a restart.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDirectory } from '../../../../test/harness/run-directory.ts';
import { startClickHouse } from '../../process.ts';
import { ask, fillWorkspace, makeLogin, type TestLogin } from './login.ts';

const url = inject('clickhouseUrl');
let login: TestLogin;
beforeAll(async () => {
  login = await makeLogin(url, await fillWorkspace(url, 'OURS', 3));
});
afterAll(() => login.end());

test.each([
  'SELECT 1',
  'SELECT version(), timezone(), currentUser(), currentDatabase(), hostName(), uptime()',
  'SELECT displayName(), version(), revision(), timezone()',
  'SHOW DATABASES',
  'SHOW TABLES',
  'SHOW FULL TABLES',
  'SHOW COLUMNS FROM events',
  'SHOW FUNCTIONS',
  "SHOW SETTINGS LIKE 'max_threads'",
  'SHOW CREATE TABLE events',
  'DESCRIBE TABLE events',
  'DESCRIBE (SELECT user_id, count() FROM events GROUP BY user_id)',
  'EXISTS TABLE events',
  'EXPLAIN SYNTAX SELECT * FROM events',
  'EXPLAIN QUERY TREE SELECT user_id FROM events',
  'SELECT name, value, readonly FROM system.settings',
  'SELECT name, engine, comment FROM system.databases',
  'SELECT name, type, default_kind, comment, is_in_primary_key FROM system.columns WHERE database = currentDatabase()',
  'SELECT name, engine, primary_key, sorting_key FROM system.tables WHERE database = currentDatabase()',
  'SELECT name, is_aggregate FROM system.functions',
  'SELECT name FROM system.data_type_families',
  'SELECT table_name, column_name, data_type FROM information_schema.columns',
  'SELECT * FROM INFORMATION_SCHEMA.TABLES',
  'SELECT toStartOfInterval(timestamp, INTERVAL 60 second) AS time, count() FROM events WHERE timestamp >= toDateTime(1700000000) AND timestamp <= toDateTime(1900000000) GROUP BY time ORDER BY time WITH FILL STEP 60 LIMIT 10',
  "SELECT JSONExtractString(properties, 'x') AS x, countIf(user_id != ''), quantiles(0.5, 0.9)(length(user_id)), uniqExactIf(user_id, 1), argMax(event, timestamp) FROM events GROUP BY ROLLUP(x) HAVING count() > 0 ORDER BY x LIMIT 5 BY x",
  'SELECT user_id, row_number() OVER (PARTITION BY event ORDER BY timestamp), lagInFrame(user_id) OVER w FROM events WINDOW w AS (ORDER BY timestamp ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)',
  "SELECT windowFunnel(60)(toDateTime(timestamp), event = 'a', event = 'b') FROM events",
  'WITH days AS (SELECT toDate(timestamp) AS day, count() AS events FROM events GROUP BY day) SELECT * EXCEPT (events) FROM days AS d LEFT JOIN days AS e USING (day)',
  "SELECT arrayMap(x -> upper(x), ['a']), CAST('1' AS UInt8), '2'::UInt8, if(1, 2, 3), multiIf(1, 2, 3), CASE WHEN 1 THEN 2 ELSE 3 END, x.1 FROM (SELECT (1, 2) AS x)",
  "SELECT arrayJoin(splitByChar(',', 'a,b')) AS part, substr('abc', 1, 2), DATE_DIFF('day', today(), today()), position('abc' IN 'b'), NOW(), COUNT(*) FROM numbers(3) GROUP BY part",
])('a tool can run: %s', async statement => {
  const answer = await login.ask(statement);
  expect(answer.status, answer.text).toBe(200);
});

test('the twenty questions of the docs', async () => {
  const text = await readFile(new URL('../../../../docs/questions.md', import.meta.url), 'utf8');
  const statements = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(
    ([, statement]) => statement!,
  );
  expect(statements.length).toBeGreaterThanOrEqual(20);
  for (const statement of statements) {
    const parameters = { param_workspaceId: login.workspaceId, param_userId: 'OURS1' };
    const answer = await login.ask(statement.trim().replace(/;$/, ''), parameters);
    expect(answer.status, `${statement}\n${answer.text}`).toBe(200);
  }
});

const READ_NOTHING = new Set(
  'numbers numbers_mt zeros generateSeries generate_series values view'.split(' '),
);

test('only table functions without external access are allowed', async () => {
  const names = (await ask(url, 'SELECT name FROM system.table_functions')).trim().split('\n');
  expect(names.length).toBeGreaterThan(50);
  for (const name of names.filter(one => !READ_NOTHING.has(one))) {
    const { text } = await login.ask(`SELECT * FROM \`${name}\`(1)`);
    // The same name can be that of a function without side effects.
    expect(text, name).toMatch(/^Code: (?:497|344|62|390|36|42|46|48|47)\./);
  }
});

test('no function of the engine has access to anything else, including functions added in new versions', async () => {
  const reaching = await ask(
    url,
    `SELECT name FROM system.functions
     WHERE NOT is_aggregate AND name != '_CAST' AND (categories IN ('Dictionary', 'AI', 'Machine Learning', 'Introspection', 'Embedded Dictionary', 'Internal')
        OR name IN ('file', 'getServerSetting', 'getMacro', 'joinGet', 'hasColumnInTable', 'showCertificate',
                    'sleep', 'sleepEachRow', 'filesystemAvailable', 'serverUUID', 'catboostEvaluate'))`,
  );
  const names = reaching.trim().split('\n');
  expect(names.length).toBeGreaterThan(70);
  for (const name of names) {
    const { text } = await login.ask(`SELECT arrayMap(\`${name}\`, ['x']), \`${name}\`('x')`);
    expect(text, name).toMatch(/^Code: (?:497|344)\./);
  }
});

test('logins still exist after a kill, and ended logins do not', async () => {
  const dataDir = await newDirectory('logins');
  const workspaceId = login.workspaceId;
  const first = await startClickHouse({ dataDir, port: 0, isQuiet: true });
  const kept = await makeLogin(first.url, workspaceId);
  const ended = await makeLogin(first.url, workspaceId);
  await ended.end();
  first.kill();
  const second = await startClickHouse({ dataDir, port: 0, isQuiet: true });
  try {
    const again = async ({ userName, password }: TestLogin) => {
      const headers = { 'X-ClickHouse-User': userName, 'X-ClickHouse-Key': password };
      const answer = await fetch(second.url, { method: 'POST', body: 'SELECT 1', headers });
      return answer.text();
    };
    expect(await again(kept)).toBe('1\n');
    expect(await again({ ...kept, password: 'wrong' })).toContain('AUTHENTICATION_FAILED');
    expect(await again(ended)).toContain('AUTHENTICATION_FAILED');
  } finally {
    await second.stop();
  }
});
