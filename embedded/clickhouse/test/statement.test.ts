// Classification of statements, and where their data begins.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXCEPTION_CODES, fromEngine } from '../exception.ts';
import { multipartBoundary, multipartFields } from '../multipart.ts';
import { createSlots } from '../slots.ts';
import { readStatement } from '../statement.ts';

function read(text: string, isComplete = true) {
  return readStatement(text, isComplete, 'TabSeparated');
}

describe('an INSERT with rows', () => {
  test.each([
    ['INSERT INTO t FORMAT CSV\n', '1,2', "INSERT INTO t  FROM INFILE 'f'  FORMAT CSV"],
    [
      'insert into t (a, `b`) format  CSV  ',
      '1,2',
      "insert into t (a, `b`)  FROM INFILE 'f'  FORMAT CSV",
    ],
    [
      'INSERT INTO t SETTINGS x = 1 FORMAT CSV\r\n',
      '1',
      "INSERT INTO t  FROM INFILE 'f' SETTINGS x = 1  FORMAT CSV",
    ],
    ['INSERT INTO values VALUES', ' (1)', "INSERT INTO values  FROM INFILE 'f'  FORMAT Values"],
    [
      'INSERT INTO TABLE db.format FORMAT TSV\n',
      '\n;',
      "INSERT INTO TABLE db.format  FROM INFILE 'f'  FORMAT TSV",
    ],
    [
      "-- FORMAT x\nINSERT INTO FUNCTION null('a UInt8') FORMAT TSV ",
      '1',
      "-- FORMAT x\nINSERT INTO FUNCTION null('a UInt8')  FROM INFILE 'f'  FORMAT TSV",
    ],
    [
      'INSERT INTO {t:Identifier} (* EXCEPT(a)) FORMAT TSV\n',
      '1',
      "INSERT INTO {t:Identifier} (* EXCEPT(a))  FROM INFILE 'f'  FORMAT TSV",
    ],
    [
      "INSERT INTO t SELECT a FROM input('a UInt8') WHERE a > (1) FORMAT CSV\n",
      '1',
      "INSERT INTO t SELECT a FROM file('f', 'CSV', 'a UInt8') WHERE a > (1) ",
    ],
  ])('%s', (head, rows, expected) => {
    const statement = read(head + rows);
    if (statement.kind !== 'insert') throw new Error(`it is ${statement.kind}`);
    expect(statement.dataStart).toBe(head.length);
    expect(statement.textWithFile('f')).toBe(expected);
  });

  test('finds the same start of the rows in chunks of any size, and never too early', () => {
    const head = "INSERT /* a 'b; */ INTO t (a) SETTINGS s = 'x FORMAT y' FORMAT RowBinary \n";
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(), (rows, cut) => {
        const whole = head + Buffer.from(rows).toString('latin1');
        const part = read(whole.slice(0, cut % (whole.length + 1)), false);
        if (part.kind === 'insert') expect(part.dataStart).toBe(head.length);
        else expect(part.kind).toBe('open');
        expect(read(whole)).toMatchObject({ kind: 'insert', dataStart: head.length });
      }),
    );
  });

  test.each(['INSERT INTO t SELECT 1', 'INSERT INTO t (a) (SELECT 1)'])(
    'not on this machine: %s',
    text => expect(read(text)).toMatchObject({ kind: 'other', text }),
  );

  test('a semicolon behind the line break belongs to the rows', () => {
    const head = 'INSERT INTO t FORMAT RowBinary\n';
    expect(read(`${head};rows`)).toMatchObject({ kind: 'insert', dataStart: head.length });
  });

  test('a semicolon before the rows is refused', () => {
    expect(read('INSERT INTO t FORMAT CSV;1')).toMatchObject({ kind: 'refused' });
  });
});

describe('a statement with a result', () => {
  test.each([
    [
      'SELECT 1',
      'TabSeparated',
      "SELECT 1\nINTO OUTFILE 'p' TRUNCATE /* m */\nFORMAT TabSeparated",
    ],
    ['SELECT 1 FORMAT JSON;', 'JSON', "SELECT 1 \nINTO OUTFILE 'p' TRUNCATE /* m */\nFORMAT JSON"],
    [
      'SELECT 1 -- ;',
      'TabSeparated',
      "SELECT 1 -- ;\nINTO OUTFILE 'p' TRUNCATE /* m */\nFORMAT TabSeparated",
    ],
    [
      'SELECT 1 FORMAT CSV SETTINGS a = 1',
      'CSV',
      "SELECT 1 \nINTO OUTFILE 'p' TRUNCATE /* m */\nFORMAT CSV SETTINGS a = 1",
    ],
    [
      "SELECT 'FORMAT CSV', (SELECT 1) AS format",
      'TabSeparated',
      "SELECT 'FORMAT CSV', (SELECT 1) AS format\nINTO OUTFILE 'p' TRUNCATE /* m */\nFORMAT TabSeparated",
    ],
    [
      "SELECT $x$ ; ' $x$",
      'TabSeparated',
      "SELECT $x$ ; ' $x$\nINTO OUTFILE 'p' TRUNCATE /* m */\nFORMAT TabSeparated",
    ],
  ])('%s', (text, format, expected) => {
    const statement = read(text);
    if (statement.kind !== 'read') throw new Error(`it is ${statement.kind}`);
    expect(statement.format).toBe(format);
    expect(statement.textWithOutput('p', 'm')).toBe(expected);
  });

  test.each([
    'WITH 1 AS x SELECT x',
    '(SELECT 1)',
    'FROM t SELECT a',
    'SHOW TABLES',
    'desc t',
    'EXPLAIN SELECT 1',
    'EXISTS t',
    'SELECT number AS insert FROM numbers(3)',
    'WITH 1 AS insert SELECT insert',
    'WITH insert AS (SELECT 1 AS a) SELECT a FROM insert',
    'WITH 1 AS x SELECT x insert FROM t',
  ])('%s is valid', text => expect(read(text).kind).toBe('read'));
  test.each([
    'CREATE TABLE t (a UInt8) ENGINE = Memory',
    'WITH 1 AS x INSERT INTO t SELECT x',
    'WITH t AS (SELECT 1) INSERT INTO u SELECT * FROM t',
    'EXPLAIN INSERT INTO u SELECT 1',
    'SET a = 1',
    'KILL QUERY WHERE 1',
  ])('%s is not valid', text => expect(read(text).kind).toBe('other'));
});

test.each(['', '  \n', '-- nothing', '/* a /* b */ c */', ' ; '])('no match: %j', text => {
  expect(read(text).kind).toBe('empty');
});

test.each([
  'SELECT 1; SELECT 2',
  'SELECT 1;; SELECT 2',
  'SET a = 1; DROP TABLE t',
  "SELECT ';'; SELECT '",
  "SELECT 1; 'open",
  'SELECT (1; SELECT 2)',
])('many statements are refused: %s', text => {
  expect(read(text).kind).toBe('refused');
});

test.each(["SELECT 'open", 'SELECT 1 /* open', 'SELECT $a$ open'])(
  'the engine itself refuses: %s',
  text => expect(read(text)).toEqual({ kind: 'other', text }),
);

describe('the engine’s errors', () => {
  test.each([
    [
      'Query failed: Code: 60. DB::Exception: No table (a b). (UNKNOWN_TABLE)',
      60,
      'UNKNOWN_TABLE',
      'No table (a b)',
    ],
    [
      'Code: 27. DB::Exception: Code: 27. DB::Exception: Cannot parse: (at row 2)\n: (in file/uri bodies/x): While executing X: data for INSERT was parsed from file. (CANNOT_PARSE) (version 26.7.2.1). (CANNOT_PARSE)',
      27,
      'CANNOT_PARSE',
      'Cannot parse: (at row 2)\n: While executing X',
    ],
    ['something else', EXCEPTION_CODES.UNKNOWN_EXCEPTION, 'UNKNOWN_EXCEPTION', 'something else'],
  ])('%s', (text, code, codeName, message) => {
    expect(fromEngine(new Error(text))).toMatchObject({ code, codeName, message });
  });
});

test('multipart: parts are unchanged', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.stringMatching(/^[a-z_]{1,9}$/),
        fc.string({ unit: 'binary', maxLength: 50 }),
      ),
      fields => {
        const names = Object.keys(fields);
        fc.pre(names.length > 0 && !Object.values(fields).some(value => value.includes('--xyz')));
        const parts = names.map(
          name =>
            `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${fields[name]}\r\n`,
        );
        const body = Buffer.from(`${parts.join('')}--xyz--\r\n`);
        expect(multipartFields(body, 'xyz')).toEqual(
          names.map(name => [name, Buffer.from(fields[name]!).toString()]),
        );
      },
    ),
  );
  expect(multipartBoundary('multipart/form-data; boundary="a b"')).toBe('a b');
  expect(multipartBoundary('text/plain')).toBeUndefined();
  expect(() => multipartFields(Buffer.from('--xyz\r\n'), 'xyz')).toThrow();
});

describe('slots', () => {
  const limits = { queueLengthMax: 1, queueWaitMaxMs: 60_000 };
  const never = new AbortController().signal;

  test('a slot is given to one at a time, then to the next in the queue; a full queue is refused', async () => {
    const slots = createSlots(['only'], limits);
    const first = await slots.take(never);
    const second = slots.take(never);
    await expect(slots.take(never)).rejects.toMatchObject({ code: 202 });
    first.giveBack();
    expect((await second).slot).toBe('only');
  });

  test('slots are not given to clients that have disconnected or waited too long', async () => {
    const slots = createSlots(['only'], { queueLengthMax: 9, queueWaitMaxMs: 1 });
    const first = await slots.take(never);
    const gone = new AbortController();
    const left = slots.take(gone.signal);
    gone.abort();
    await expect(left).rejects.toMatchObject({ code: 394 });
    await expect(slots.take(never)).rejects.toMatchObject({ code: 202 });
    first.giveBack();
    expect((await slots.take(never)).slot).toBe('only');
  });
});
