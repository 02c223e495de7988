// The values of gateway events that may be shown.

import { expect, test } from 'vitest';
import { shownBody, WITHHELD } from '../../../../graphql-api/payments/facts/shown-body.ts';
import { GATEWAY_SAMPLES } from '../../../harness/gateway-webhook.ts';

const sample = (name: string) =>
  String(GATEWAY_SAMPLES.find(([file]) => file.startsWith(name))?.[1]);

test('a payment shows its exact values', () => {
  const shown = JSON.parse(shownBody(sample('payment_success'))!) as Record<string, unknown>;
  expect(shown).toMatchObject({
    type: 'PAYMENT_SUCCESS_WEBHOOK',
    event_time: '2025-01-15T11:16:10+05:30',
    data: {
      order: { order_id: 'order_OFR_2', order_amount: '2.00', order_tags: null },
      payment: { cf_payment_id: '1453002795', payment_status: 'SUCCESS', payment_group: 'upi' },
    },
  });
});

test('and a payment shows the names of all withheld values', () => {
  const shown = shownBody(sample('payment_success'))!;
  for (const secret of ['user@ybl', 'test@example.com', '9999999999', '7112AAA812234', 'XXXXX0231'])
    expect(shown).not.toContain(secret);
  expect(JSON.parse(shown)).toMatchObject({
    data: {
      customer_details: { customer_name: null, customer_email: WITHHELD },
      payment: { payment_method: { upi: { upi_id: WITHHELD } }, payment_message: WITHHELD },
    },
  });
});

test.for(GATEWAY_SAMPLES.map(([name, body]) => [name, String(body)] as const))(
  '%s: shows no personal data',
  ([, body]) => {
    const shown = shownBody(body)!;
    expect(shown).not.toMatch(/@|9999999999|8000000000|9910000000|Customer"/);
    expect(namesIn(shown)).toEqual(namesIn(body));
  },
);

test('unknown fields are withheld at any depth', () => {
  const nested = `${'{"deep":'.repeat(40)}{"name":"Asha"}${'}'.repeat(40)}`;
  const body = `{"type":"NEW","data":{"nickname":"Asha","customerId":"asha@bank","list":["Asha"],"is":true},"more":${nested}}`;
  const shown = shownBody(body)!;
  expect(shown).not.toMatch(/Asha|asha/);
  expect(JSON.parse(shown)).toMatchObject({ type: 'NEW', data: { nickname: WITHHELD } });
});

test('a body that is not an object shows nothing', () => {
  for (const body of ['', 'Asha', '"Asha"', '[{"id":1}]', '{"id":'])
    expect(shownBody(body)).toBeNull();
});

function namesIn(text: string): string[] {
  const names: string[] = [];
  JSON.parse(text, (name, value: unknown) => {
    names.push(name);
    return value;
  });
  return names.toSorted();
}
