// Real client programs, with their defaults, against the embedded engine. `npm run clients`
// installs them; the tests of missing clients are skipped.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { newDirectory } from '../../../../test/harness/run-directory.ts';
import { freshDatabase } from '../database.ts';
import { fillWorkspace, makeLogin } from '../logins/login.ts';
import { DBT, GO_PROGRAM, JAVA_LIBRARIES, PYTHON } from './installed.ts';

const HERE = import.meta.dirname;

async function run(
  command: string,
  options: readonly string[],
  variables: Record<string, string> = {},
) {
  const environment = { ...process.env, ...variables };
  const child = spawn(command, options, { cwd: HERE, env: environment });
  const output = Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [out, errors] = (await output).map(parts => Buffer.concat(parts).toString('utf8'));
  return { code, lines: (out ?? '').trim().split('\n'), errors };
}

function server() {
  const { hostname, port, host } = new URL(inject('clickhouseUrl'));
  return { hostname, port, host };
}

/** The title of a skipped test names the command to install its client. */
function titled(name: string, isInstalled: boolean, option = ''): string {
  return isInstalled ? name : `${name} (not installed: run npm run clients${option})`;
}

const hasPython = existsSync(PYTHON);
const hasGo = existsSync(GO_PROGRAM);
const hasJava = existsSync(JAVA_LIBRARIES);
test.skipIf(!hasPython)(titled('clickhouse-connect (Python)', hasPython), async () => {
  const { name } = await freshDatabase();
  const { hostname, port } = server();
  const result = await run(PYTHON, ['python/clients.py', hostname, port, name]);
  expect(result).toEqual({
    code: 0,
    errors: '',
    lines: [
      'protocol: 54405 compression: lz4',
      'inserted: 1000',
      `types: ['UInt32', 'LowCardinality(Nullable(String))', "DateTime('Europe/Berlin')", 'Array(String)', 'JSON']`,
      `row: 1 n1 True ['a', 'b'] {'a': 1, 'b': {'c': 'x'}}`,
      "path: [('x',)]",
      'parameters: [(5,)]',
      'streamed: 200000',
      "arrow: {'number': [0, 1, 2]}",
      `raw: b'1,"x"\\n'`,
      'frame: [333, 333, 1, 334] Europe/Berlin',
      'session: [(3, 3)]',
      'other session: [(0,)]',
      'metadata: [1]',
      "metadata: ['py']",
      "metadata: ['id', 'name', 'at', 'tags', 'props']",
      "metadata: ['py']",
      "metadata: ['py']",
      'compression: lz4 [(4999950000,)]',
      'compression: zstd [(4999950000,)]',
      'compression: gzip [(4999950000,)]',
      'compression: False [(4999950000,)]',
      'error: DatabaseError 47',
      'error: DatabaseError 395',
    ],
  });
});

describe('a login of an analyst', () => {
  async function newLogin() {
    const url = inject('clickhouseUrl');
    await fillWorkspace(url, 'THEIRS', 5);
    const login = await makeLogin(url, await fillWorkspace(url, 'OURS', 3));
    onTestFinished(() => login.end());
    return login;
  }

  test.skipIf(!hasPython)(titled('clickhouse-connect', hasPython), async () => {
    const { userName, password } = await newLogin();
    const { hostname, port } = server();
    expect(await run(PYTHON, ['python/login.py', hostname, port, userName, password])).toEqual({
      code: 0,
      errors: '',
      lines: [
        'events: [(3, 1)]',
        'parameters: [(1,)]',
        "frame: ['OURS0', 'OURS1', 'OURS2']",
        'tables: True',
        'columns: [(1,)]',
        'error: DatabaseError 497',
        'error: DatabaseError 497',
        'error: DatabaseError 516',
      ],
    });
  });

  test.skipIf(!hasGo)(titled('clickhouse-go', hasGo), async () => {
    const { userName, password } = await newLogin();
    const { host } = server();
    expect(await run(GO_PROGRAM, [host, 'login', userName, password])).toEqual({
      code: 0,
      errors: '',
      lines: ['events: 3 1', 'parameters: 1', 'table: 1', 'write: 164'],
    });
  });

  test.skipIf(!hasJava)(titled('the JDBC driver', hasJava), async () => {
    const { userName, password } = await newLogin();
    const libraries = join(JAVA_LIBRARIES, '*');
    const program = ['--class-path', libraries, 'java/Login.java'];
    expect(await run('java', [...program, server().host, userName, password])).toEqual({
      code: 0,
      errors: '',
      lines: [
        'events: 3',
        'prepared: 1',
        'table: true',
        'columns: true',
        'schemas: true',
        'refused: true',
      ],
    });
  });
});

const isLong = process.env.TEST_LONG !== undefined;
const hasDbt = existsSync(DBT);
// Four starts of dbt take longer than all other clients together.
test.skipIf(!hasDbt || !isLong)(
  titled('dbt-clickhouse, in the long run', hasDbt, ' -- --dbt'),
  async () => {
    const { name, rows } = await freshDatabase();
    const { hostname, port } = server();
    const directory = await newDirectory('dbt');
    const dbt = async (...options: string[]) => {
      const { code, lines } = await run(
        DBT,
        ['--no-use-colors', ...options, '--project-dir', 'dbt', '--profiles-dir', 'dbt'],
        {
          DBT_TARGET_PATH: join(directory, 'target'),
          DBT_LOG_PATH: directory,
          DBT_SEND_ANONYMOUS_USAGE_STATS: 'false',
          CLICKHOUSE_HOST: hostname,
          CLICKHOUSE_PORT: port,
          // Does not exist yet: dbt creates it.
          CLICKHOUSE_SCHEMA: `${name}_dbt`,
        },
      );
      return { code, text: lines.join('\n') };
    };
    expect(await dbt('debug')).toMatchObject({
      code: 0,
      text: expect.stringContaining('All checks passed!'),
    });
    // Two models and two tests; the second run is incremental.
    for (const total of [90, 1090]) {
      expect(await dbt('build')).toMatchObject({
        code: 0,
        text: expect.stringContaining('PASS=4 WARN=0 ERROR=0 SKIP=0'),
      });
      expect(await rows(`SELECT sum(total)::UInt32 AS total FROM ${name}_dbt.totals`)).toEqual([
        { total },
      ]);
    }
  },
);

describe.skipIf(!hasGo)(titled('clickhouse-go over HTTP', hasGo), () => {
  const usual = ['none', 'gzip', 'lz4'];
  test.each(isLong ? [...usual, 'deflate', 'br', 'zstd'] : usual)('%s', async compression => {
    const { name, post } = await freshDatabase();
    const timezone = (await post('SELECT timezone()')).text.trim();
    const result = await run(GO_PROGRAM, [server().host, name, compression]);
    expect(result).toEqual({
      code: 0,
      errors: '',
      lines: [
        `ping: true ${timezone}`,
        'aggregate: n0 3333 2024-02-29 13:00:00 +0100 CET 6666',
        'aggregate: n1 3333 2024-02-29 13:00:00 +0100 CET 6666',
        'aggregate: n2 3333 2024-02-29 13:00:00 +0100 CET 6666',
        'type: id UInt64',
        'type: name LowCardinality(String)',
        "type: at DateTime('Europe/Berlin')",
        'type: tags Array(String)',
        'type: amount Decimal(18, 2)',
        'type: note Nullable(String)',
        'type: a Nullable(String)',
        'values: 7 [1 x] 1.2.3.4',
        'metadata: true',
        'metadata: true',
        'metadata: true',
        'metadata: true',
        'stream: 500000 124999750000',
        'early error: 47',
        'late error: 395',
        'session: 7',
      ],
    });
  });
});

describe.skipIf(!hasJava)(titled('the JDBC driver', hasJava), () => {
  test.each([
    ['with its defaults', ''],
    ['blocks of LZ4 both ways', 'compress=true&decompress=true'],
    ['frames of LZ4 both ways', 'client.use_http_compression=true&compress=true&decompress=true'],
  ])('%s', async (_, options) => {
    const { name } = await freshDatabase();
    const libraries = join(JAVA_LIBRARIES, '*');
    const result = await run('java', [
      '--class-path',
      libraries,
      'java/Clients.java',
      server().host,
      name,
      options,
    ]);
    expect(result).toEqual({
      code: 0,
      errors: '',
      lines: [
        'major: true',
        "it's 0: 334 501.00",
        "it's 1: 333 499.50",
        "it's 2: 333 499.50",
        'stream: 44999850000',
        'table: java',
        'column: id UInt64',
        'column: name LowCardinality(String)',
        "column: at DateTime('UTC')",
        'column: amount Decimal(9, 2)',
        'error: true',
      ],
    });
  });
});
