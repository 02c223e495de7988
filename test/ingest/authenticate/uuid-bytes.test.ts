import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { uuidToRowBinary } from '../../../schema/values/uuid-bytes.ts';

test('a UUID has the same bytes as in ClickHouse', async () => {
  const uuid = '01890000-1234-7abc-8def-0123456789ab';
  const url = new URL(inject('clickhouseUrl'));
  const headers: Record<string, string> = {};
  if (url.username !== '') {
    headers['x-clickhouse-user'] = decodeURIComponent(url.username);
    headers['x-clickhouse-key'] = decodeURIComponent(url.password);
    url.username = '';
    url.password = '';
  }
  const body = `SELECT toUUID('${uuid}') FORMAT RowBinary`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(uuidToRowBinary(uuid)));
});

test('each half of the text is reversed, in either case', () => {
  fc.assert(
    fc.property(fc.uuid(), uuid => {
      const straight = Buffer.from(uuid.replaceAll('-', ''), 'hex');
      const expected = [...straight.subarray(0, 8).reverse(), ...straight.subarray(8).reverse()];
      expect([...uuidToRowBinary(uuid)]).toEqual(expected);
      expect([...uuidToRowBinary(uuid.toUpperCase())]).toEqual(expected);
    }),
  );
});

test.each(['', 'x', '01890000-1234-7abc-8def-0123456789a', '01890000-1234-7abc-8def-0123456789ag'])(
  'an invalid UUID is not converted: %j',
  text => {
    expect(() => uuidToRowBinary(text)).toThrow(TypeError);
  },
);
