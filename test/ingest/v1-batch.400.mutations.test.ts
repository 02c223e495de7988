// Valid batches with a few bytes changed: JSON.parse and ingest always agree on whether the result
// is valid JSON, and the process responds.

import { beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventText } from '../harness/batch.ts';
import { liveTenant, post } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { createRandom, type Random } from '../harness/random.ts';
import type { Tenant } from '../harness/tenant.ts';

const MUTATIONS = process.env.TEST_LONG ? 50_000 : 1_500;

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

describe('with random changes', () => {
  test('a body is JSON exactly if JSON.parse accepts it', async () => {
    const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const random = createRandom(seed);
    const workers = Array.from({ length: 8 }, async () => {
      for (let i = 0; i < MUTATIONS / 8; i++) {
        const body = mutate(random, seedBody(random));
        const isJson = isJsonText(body);
        const answer = await post(ingest(), body);
        const what = `seed ${seed}: ${body.toString('latin1')} -> ${answer.status} ${answer.text}`;
        expect([200, 400, 401, 403], what).toContain(answer.status);
        const isCalledMalformed = answer.text.includes('"MALFORMED_JSON"');
        expect(isCalledMalformed, what).toBe(!isJson);
        if (answer.status === 200) expectAcceptedLike(body, answer.json(), what);
      }
    });
    await Promise.all(workers);
  });

  function seedBody(random: Random): Buffer {
    const events = Array.from({ length: 1 + random.below(2) }, () =>
      eventText({
        properties: '{"a":[1,-2.5e+3,true,null],"k\\u0065y":"v\\n🚀","":{}}',
        custom: random.pick(['{"x":[]}', '[[1],{"y":"\\ud800"}]', '"é"', '-0.0', undefined]),
      }),
    );
    return Buffer.from(batchText(tenant.writeKey, events, { context: '{"region":"eu"}' }));
  }
});

function expectAcceptedLike(body: Buffer, answer: Record<string, unknown>, what: string): void {
  const { batch } = JSON.parse(body.toString()) as { batch: unknown[] };
  expect(answer.accepted, what).toBe(batch.length);
}

const FRAGMENTS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u',
  '\\ud83d',
  '0',
  '-',
  '.',
  'e',
  'E',
];
const MORE = [
  'null',
  'true',
  ' ',
  '\n',
  '\u0000',
  '\t',
  '/',
  'é',
  '🚀',
  '1',
  '"type"',
  '__proto__',
];
const BYTES = [0x00, 0x1f, 0x20, 0x22, 0x5c, 0x7f, 0x80, 0xbf, 0xc0, 0xc3, 0xe2, 0xed, 0xf0, 0xff];

function mutate(random: Random, body: Buffer): Buffer {
  let bytes = body;
  for (let i = random.below(3); i >= 0; i--) {
    const at = random.below(bytes.length);
    const until = Math.min(bytes.length, at + random.below(4));
    const middle = random.pick([
      Buffer.from(random.pick([...FRAGMENTS, ...MORE])),
      Buffer.of(random.pick(BYTES)),
      Buffer.alloc(0),
      bytes.subarray(until, until + random.below(12)),
    ]);
    bytes = Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(until)]);
  }
  return bytes;
}

function isJsonText(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
