import { GraphQLError, parseValue } from 'graphql';
import { describe, expect, test } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import { SCALARS } from '../../../../graphql-api/platform/graph/scalars.ts';
import { decimalOf } from '../../../../graphql-api/platform/money.ts';

const ACCEPTED = {
  DateTime: ['2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00+05:30', '2026-11-21'],
  Date: ['2026-11-21', '2024-02-29'],
  Decimal: ['0', '-1.5', '1204.50', '123456789012345678901234567890.123456789012345678'],
  CurrencyCode: ['INR', 'JPY'],
};
const REFUSED = {
  DateTime: ['tomorrow', '2026-13-01', 1, null, {}],
  Date: ['2026-02-30', '2026-11-21T00:00:00Z', 20_261_121],
  Decimal: ['1e3', '1.', '.5', '01', 'NaN', '', 1.5],
  CurrencyCode: ['inr', 'ABCD', 'XX', 1],
};

describe.each(Object.keys(ACCEPTED) as (keyof typeof ACCEPTED)[])('%s', name => {
  const scalar = SCALARS.find(candidate => candidate.name === name)!;

  test.each(ACCEPTED[name])('accepts %j, as a variable and as a literal', value => {
    const read = scalar.parseValue(value);
    expect(scalar.parseLiteral(parseValue(JSON.stringify(value)))).toEqual(read);
    const expected = name === 'DateTime' ? new Date(value).toISOString() : value;
    expect(scalar.serialize(read)).toBe(expected);
  });

  test.each(REFUSED[name])('refuses %j with a message', value => {
    expect(() => scalar.parseValue(value)).toThrow(GraphQLError);
  });

  test('refuses values of other types', () => {
    expect(() => scalar.serialize(1)).toThrow(TypeError);
  });
});

test.each([
  [120_450n, 'INR', '1204.50'],
  [5n, 'INR', '0.05'],
  [-5n, 'INR', '-0.05'],
  [0n, 'INR', '0.00'],
  [1_204n, 'JPY', '1204'],
  [1_204n, 'KWD', '1.204'],
] as const)('%d of %s is %s', (amountMinor, currencyCode, expected) => {
  expect(decimalOf({ amountMinor, currencyCode })).toBe(expected);
});

test('a global ID decodes to its parts, and other texts are refused', () => {
  const id = '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10';
  expect(decodeNodeId(encodeNodeId('SdkKey', id))).toEqual({ typename: 'SdkKey', id });
  const wrong = ['', 'x', encodeNodeId('SdkKey', '1'), encodeNodeId('', id), 'A'.repeat(100_000)];
  for (const text of [...wrong, `${encodeNodeId('SdkKey', id)}AAAA`, encodeNodeId('a b', id)])
    expect(() => decodeNodeId(text)).toThrow('INVALID_ID');
});
