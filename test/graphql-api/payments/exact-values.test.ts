import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCallLimits } from '../../../graphql-api/payments/client/call-limits.ts';
import { decimalAmount, saysAmount } from '../../../graphql-api/payments/client/wire-values.ts';
import { gatewayAmountMinor } from '../../../graphql-api/payments/gateway-amount.ts';
import { note, sanitisedNote } from '../../../graphql-api/payments/note.contract.ts';
import { linkNotes, tags } from '../../../graphql-api/payments/tags.contract.ts';
import { AMOUNT_MINOR_MAX } from '../../../graphql-api/platform/money.ts';
import {
  Decimal,
  field,
  Pairs,
  readExact,
  textField,
  writeExact,
} from '../../../schema/values/exact-json.ts';

/** Characters with special handling, and any other. */
const CHARACTER = fc.oneof(
  fc.constantFrom('\r', '\n', '\u0000', '\u0085', '\u2028', ' ', '\u00a0', 'a', '₹'),
  fc.nat({ max: 0xffff }).map(code => String.fromCharCode(code)),
);
const NAMES = { amount: 'amount', currency: 'currency' };

describe('numbers', () => {
  test('amounts are whole paise or absent', () => {
    const rupees = (text: string) => gatewayAmountMinor(text, 'INR');
    expect(['200.12', '170.00', '2', '0.1', '1.500'].map(rupees)).toEqual([
      20_012n,
      17_000n,
      200n,
      10n,
      150n,
    ]);
    for (const text of ['', '-1', '1.005', '1e3', 'NaN', '1,000', '99999999999999999', ' 1'])
      expect(rupees(text), text).toBeUndefined();
    expect(gatewayAmountMinor('100', 'JPY')).toBe(100n);
    expect(gatewayAmountMinor('1', 'rupees')).toBeUndefined();
  });

  test('an amount is written in rupees with its decimals, and read back to the paisa', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, AMOUNT_MINOR_MAX), amountMinor => {
        const text = writeExact({ amount: decimalAmount(amountMinor, 'INR'), currency: 'INR' });
        const paise = String(amountMinor).padStart(3, '0');
        expect(text).toBe(`{"amount":${paise.slice(0, -2)}.${paise.slice(-2)},"currency":"INR"}`);
        const body = readExact(text)!;
        expect(saysAmount(body, NAMES, { amountMinor, currency: 'INR' })).toBe(true);
        const other = amountMinor + 1n;
        expect(saysAmount(body, NAMES, { amountMinor: other, currency: 'INR' })).toBe(false);
      }),
    );
  });

  test('an ID keeps its digits, also beyond 2^53, as a number and as a string', () => {
    fc.assert(
      fc.property(fc.bigInt(2n ** 53n, 10n ** 30n), id => {
        expect(textField(readExact(`{"id":${id}}`), 'id')).toBe(String(id));
        expect(textField(readExact(`{"id":"${id}"}`), 'id')).toBe(String(id));
      }),
    );
  });

  test.for(['170.5', '170.50', '"170.50"', '170.500'])('%s rupees are 17050 paise', amount => {
    const body = readExact(`{"amount":${amount}}`)!;
    expect(saysAmount(body, NAMES, { amountMinor: 17_050n, currency: 'INR' })).toBe(true);
  });

  test.for(['170.505', '-170.5', '1.705e2', 'null', '"NA"'])('%s is not a valid amount', amount => {
    const body = readExact(`{"amount":${amount}}`)!;
    expect(saysAmount(body, NAMES, { amountMinor: 17_050n, currency: 'INR' })).toBe(false);
  });

  test('the same amount in another currency differs', () => {
    const body = readExact('{"amount":1,"currency":"USD"}')!;
    expect(saysAmount(body, NAMES, { amountMinor: 100n, currency: 'INR' })).toBe(false);
  });

  test('a value that is not a decimal is never written', () => {
    for (const text of ['1e3', 'NaN', '1.', '', '1,5']) expect(() => new Decimal(text)).toThrow();
  });

  test('a truncated body is not JSON and has no fields', () => {
    expect(readExact('{"id":')).toBeUndefined();
    expect(field(readExact('[1]'), 'id')).toBeUndefined();
    expect(field(readExact('{"a":1}'), 'constructor')).toBeUndefined();
  });
});

describe('tags', () => {
  test('stay in the order in which they were given', () => {
    const list = ['b', '10', 'a', '2'].map(name => [name, `of ${name}`] as const);
    expect(writeExact({ tags: new Pairs(list) })).toBe(
      '{"tags":{"b":"of b","10":"of 10","a":"of a","2":"of 2"}}',
    );
  });

  test('are at most nine, or four on a link, because one is reserved', () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `n${at}`, value: 'v' }));
    expect(tags.safeParse(list(9)).success).toBe(true);
    expect(tags.safeParse(list(10)).success).toBe(false);
    expect(linkNotes.safeParse(list(4)).success).toBe(true);
    expect(linkNotes.safeParse(list(5)).success).toBe(false);
  });

  test('cannot repeat a name or use the reserved one', () => {
    const twice = [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ];
    expect(tags.safeParse(twice).success).toBe(false);
    expect(tags.safeParse([{ name: 'workspace_id', value: 'x' }]).success).toBe(false);
  });

  test('that are empty after cleaning are omitted', () => {
    const list = [
      { name: 'a', value: '\u0007\n' },
      { name: 'b', value: ' two\r\nlines ' },
    ];
    expect(tags.parse(list)).toEqual([['b', 'two lines']]);
  });

  test('are cleaned of invalid characters before their length is checked', () => {
    const list = [
      { name: 'a', value: 'a\u0000b' },
      { name: 'b', value: 'half \ud83d, whole \u{1f600}' },
      { name: 'c', value: `${'\u0000'.repeat(10)}${'c'.repeat(255)}` },
    ];
    const written = [
      ['a', 'ab'],
      ['b', 'half , whole \u{1f600}'],
      ['c', 'c'.repeat(255)],
    ];
    expect(tags.parse(list)).toEqual(written);
    expect(linkNotes.parse(list)).toEqual(written);
    expect(linkNotes.safeParse([{ name: 'a', value: 'a'.repeat(256) }]).success).toBe(false);
  });
});

test('a note has no control characters, spaces instead of line breaks, and is null if empty', () => {
  expect(sanitisedNote('one\r\ntwo\nthree\u2028four\u0000\u001b!')).toBe('one two three four!');
  for (const empty of ['', ' ', '\n\n', '\u0000\u0007', undefined, null])
    expect(sanitisedNote(empty)).toBeUndefined();
  fc.assert(
    fc.property(fc.array(CHARACTER), characters => {
      const sanitised = sanitisedNote(characters.join(''));
      expect(sanitised ?? 'x').toMatch(/^[^\p{Cc}\p{Cs}]+$/u);
      expect(sanitisedNote(sanitised)).toBe(sanitised);
    }),
  );
});

test('a note is validated after it is cleaned', () => {
  const of = (value: unknown) => note(5).safeParse(value);
  expect(of('a\u0000bc\ud800')).toMatchObject({ success: true, data: 'abc' });
  expect(of('\u0000\n')).toMatchObject({ success: true, data: undefined });
  expect(of(null)).toMatchObject({ success: true, data: undefined });
  for (const refused of ['a\u0000b', 'abcdef', 7]) expect(of(refused).success).toBe(false);
});

test('an account is limited to its calls per minute, and other accounts are not delayed', () => {
  let nowMs = 0;
  const limits = createCallLimits(() => nowMs);
  const take = (account = 'a') => limits.take(account, 'SANDBOX', 'createOrder');
  for (let call = 0; call < 30; call++) expect(take()).toBe(0);
  expect(take()).toBe(2_000);
  expect(take('b')).toBe(0);
  expect(limits.take('a', 'SANDBOX', 'getOrder')).toBe(0);
  nowMs += 2_000;
  expect(take()).toBe(0);
  expect(take()).toBeGreaterThan(0);
});
