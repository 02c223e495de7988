// The statements that create logins: ClickHouse can parse them, they cover all tables, and the
// embedded engine accepts them and no others.

import { readFile } from 'node:fs/promises';
import { describe, expect, inject, test } from 'vitest';
import {
  HIDDEN_TABLES,
  STORED_TABLES,
  UNWALLED_TABLES,
  VIEWS,
} from '../../../../schema/analyst-login/analyst-tables.ts';
import {
  createStatements,
  dropStatements,
  LOGINS_QUESTION,
  sharedStatements,
} from '../../../../schema/analyst-login/statements.ts';
import { readLoginStatement } from '../../logins/login-statement.ts';
import { ask, PLACE } from './login.ts';

const url = inject('clickhouseUrl');
const LOGIN = {
  userName: 'analyst_0123456789ab',
  passwordHash: 'ab'.repeat(32),
  workspaceId: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10',
};
const PLACES = [
  PLACE,
  { database: 'a`b\\c', cluster: undefined },
  { database: 'warehouse', cluster: 'all nodes' },
];

function allOf(place: (typeof PLACES)[number]): readonly string[] {
  const own = [...createStatements(LOGIN, place), ...dropStatements(LOGIN, place)];
  return [...sharedStatements(place), ...own, LOGINS_QUESTION];
}

test.each(PLACES)('ClickHouse’s parser reads them for %j', async place => {
  for (const statement of allOf(place))
    await expect(ask(url, `EXPLAIN AST ${statement}`)).resolves.toBeTypeOf('string');
});

test('every table and view of the migrations is for analysts or hidden, and has a workspace_id', async () => {
  const lines = async (statement: string) => (await ask(url, statement)).trim().split('\n');
  const there = await lines(
    "SELECT name FROM system.tables WHERE database = 'default' ORDER BY name",
  );
  expect(there).toEqual(
    [...STORED_TABLES, ...VIEWS, ...UNWALLED_TABLES, ...HIDDEN_TABLES].toSorted(),
  );
  const stored = await lines(
    `SELECT name FROM system.tables
     WHERE database = 'default' AND engine != 'View' AND name NOT IN ('${[...HIDDEN_TABLES, ...UNWALLED_TABLES].join("','")}') ORDER BY name`,
  );
  expect(stored).toEqual(STORED_TABLES.toSorted());
  const walled = await lines(
    `SELECT table FROM system.columns
     WHERE database = 'default' AND name = 'workspace_id' AND type = 'UUID' ORDER BY table`,
  );
  expect(walled).toEqual([...STORED_TABLES, ...VIEWS].toSorted());
});

describe('on a server', () => {
  const shared = sharedStatements(PLACE);
  const created = createStatements(LOGIN, PLACE);

  test('every readable table gets its row policy before its grant', () => {
    const granted = shared.filter(text => text.startsWith('GRANT'));
    const policies = shared.filter(text => text.startsWith('CREATE ROW POLICY'));
    const readable = [...STORED_TABLES, ...VIEWS, ...UNWALLED_TABLES];
    expect(granted).toHaveLength(readable.length);
    for (const table of [...STORED_TABLES, ...VIEWS])
      for (const policy of [...policies, created[1]]) expect(policy).toContain(`\`${table}\``);
    for (const policy of policies)
      expect(shared.indexOf(policy)).toBeLessThan(shared.indexOf(granted[0]!));
    expect(created[2]).toMatch(/^GRANT `service_analyst` TO/);
    expect(dropStatements(LOGIN, PLACE)[0]).toMatch(/^DROP USER/);
  });

  test('an analyst without a workspace sees no rows, and other users see the same rows as before', () => {
    expect(shared).toContainEqual(expect.stringMatching(/ USING 0 TO `service_analyst`$/));
    expect(shared).toContainEqual(
      expect.stringMatching(/ USING 1 TO ALL EXCEPT `service_analyst`$/),
    );
    expect(created[1]).toContain(` USING workspace_id = '${LOGIN.workspaceId}' TO`);
  });

  test('on a cluster, the statements cover the Distributed tables and run on every node', () => {
    const place = PLACES[2]!;
    for (const statement of allOf(place).slice(0, -1))
      expect(statement).toContain(' ON CLUSTER `all nodes`');
    expect(createStatements(LOGIN, place)[1]).toContain('`warehouse`.`events_raw_all`');
  });

  test('they contain nothing from the request', () => {
    for (const wrong of [
      { ...LOGIN, userName: "analyst_x' TO default" },
      { ...LOGIN, workspaceId: "x' OR '1" },
      { ...LOGIN, passwordHash: "'" },
    ])
      expect(() => createStatements(wrong, PLACE)).toThrow(/must be|malformed/);
  });
});

describe('the embedded engine', () => {
  test('understands each of them', () => {
    const { userName, passwordHash, workspaceId } = LOGIN;
    expect(sharedStatements(PLACE).map(readLoginStatement)).toEqual(
      sharedStatements(PLACE).map(() => ({ kind: 'shared' })),
    );
    expect(createStatements(LOGIN, PLACE).map(readLoginStatement)).toEqual([
      { kind: 'create', userName, passwordHash, database: 'default' },
      { kind: 'wall', userName, workspaceId },
      { kind: 'grant', userName },
    ]);
    expect(dropStatements(LOGIN, PLACE).map(readLoginStatement)).toEqual([
      { kind: 'drop', userName },
      { kind: 'drop-policies' },
    ]);
  });

  test.each([
    'CREATE USER someone',
    'CREATE USER IF NOT EXISTS `analyst_0123456789ab` NOT IDENTIFIED',
    'GRANT ALL ON *.* TO `analyst_0123456789ab`',
    'DROP USER `analyst_0123456789ab`',
    "ALTER USER `analyst_0123456789ab` IDENTIFIED BY 'x'",
  ])('refuses %s, which would have a different meaning', async statement => {
    expect(readLoginStatement(statement)).toBeUndefined();
    await expect(ask(url, statement)).rejects.toThrow(/DB::Exception/);
  });

  test.each(createStatements(LOGIN, PLACE))('refuses a change of %s', statement => {
    for (const changed of [`${statement} `, statement.replace(/`$|'$/, '$&, x'), ` ${statement}`])
      expect(readLoginStatement(changed)).toBeUndefined();
    expect(readLoginStatement(statement.replace('analyst_0', 'analyst_A'))).toBeUndefined();
  });
});

test('docs/tables.md lists what analysts read', async () => {
  const text = await readFile(new URL('../../../../docs/tables.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^### (\S+)$/gm)].map(([, name]) => name!);
  expect(new Set(listed)).toEqual(new Set([...STORED_TABLES, ...VIEWS, ...UNWALLED_TABLES]));
});
