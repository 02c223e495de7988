// A body is valid if and only if JSON.parse accepts it, wherever the error is, and no text crashes
// the process.

import { beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventOf, eventText, newMessageId } from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  liveTenant,
  post,
  postEvents,
} from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const INVALID: readonly string[] = [
  // Too little and too much.
  '',
  ',',
  '1 2',
  '1,2',
  ':',
  // Literals.
  'True',
  'nul',
  'nulll',
  'truefalse',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  '\\u006eull',
  // Numbers.
  '01',
  '-01',
  '00',
  '+1',
  '-',
  '--1',
  '.5',
  '1.',
  '-.5',
  '1.e5',
  '1e',
  '1e+',
  '1E-',
  '1e1.5',
  '1.2.3',
  '0x10',
  '0b1',
  '1_000',
  '1,000',
  '1n',
  '- 1',
  '１',
  '0e',
  '2.e3',
  '-a',
  // Strings.
  '"',
  '"a',
  'a"',
  "'a'",
  '`a`',
  '"a"b"',
  '"\\"',
  '"\\a"',
  '"\\x41"',
  '"\\u"',
  '"\\u12"',
  '"\\u123"',
  '"\\u12g4"',
  '"\\u{41}"',
  '"\\U0041"',
  '"\\ "',
  '"\\\n"',
  '"\\\u0000"',
  '"\n"',
  '"\t"',
  '"\r"',
  '"\u0000"',
  '"\u001f"',
  '“a”',
  // Arrays.
  '[',
  ']',
  '[1',
  '[1,',
  '[,1]',
  '[1,]',
  '[1,,2]',
  '[1 2]',
  '[1}',
  '[1:2]',
  '["a":1]',
  '[[]',
  '[]]',
  '[\u00a0]',
  // Objects.
  '{',
  '}',
  '{"a"}',
  '{"a":}',
  '{"a":1',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1,,"b":2}',
  '{"a" 1}',
  '{"a"::1}',
  '{"a":1 "b":2}',
  '{"a":1;"b":2}',
  '{"a"=1}',
  '{a:1}',
  "{'a':1}",
  '{1:1}',
  '{null:1}',
  '{[]:1}',
  '{"a":1]',
  '{"a":{"b":1}',
  '{"a\n":1}',
  '{"\\x":1}',
  '{...a}',
  // Comments and white space that only other grammars allow.
  '/* a */ 1',
  '1 // a',
  '# a\n1',
  '<!-- -->1',
  '\u000b1',
  '\u000c1',
  '\u00a01',
  '\u20281',
  '\ufeff1',
  '\u00001',
  '1\u0000',
];

describe.concurrent('invalid JSON', () => {
  test.for(INVALID)('%j', async text => {
    expect(() => JSON.parse(`{"v":${text}}`) as unknown).toThrow();
    const [inProperties, inEvent, inBatch] = await Promise.all([
      postEvents(ingest(), tenant.writeKey, [eventText({ properties: `{"v":${text}}` })]),
      postEvents(ingest(), tenant.writeKey, [eventText({ custom: text })]),
      postEvents(ingest(), tenant.writeKey, [eventText()], { custom: text }),
    ]);
    expectProblem(inProperties, 400, 'MALFORMED_JSON');
    expectProblem(inEvent, 400, 'MALFORMED_JSON');
    expectProblem(inBatch, 400, 'MALFORMED_JSON');
  });

  test('an error after the last valid event still causes the whole body to be refused', async () => {
    const body = batchText(tenant.writeKey, [eventText(), eventText()]);
    for (const end of ['', '}}', '},', '}x', '} {}', '}\u0000', '}]']) {
      expectProblem(await post(ingest(), body.slice(0, -1) + end), 400, 'MALFORMED_JSON');
    }
  });

  test('an error inside a rejected event still causes the whole body to be refused', async () => {
    const broken = `{"type":"unknown","x":[1,}`;
    const answer = await postEvents(ingest(), tenant.writeKey, [eventText(), broken]);
    expectProblem(answer, 400, 'MALFORMED_JSON');
    const notAnObject = await postEvents(ingest(), tenant.writeKey, [eventText(), 'nul']);
    expectProblem(notAnObject, 400, 'MALFORMED_JSON');
  });
});

describe.concurrent('bytes', () => {
  const INVALID_UTF8: readonly (readonly [string, readonly number[]])[] = [
    ['a lone continuation byte', [0x80]],
    ['a lone start byte', [0xc3]],
    ['a cut sequence of three', [0xe2, 0x82]],
    ['a cut sequence of four', [0xf0, 0x9f, 0x9a]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['an overlong sequence of three', [0xe0, 0x80, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['an encoded surrogate pair', [0xed, 0xa0, 0xbd, 0xed, 0xba, 0x80]],
    ['a code point past the last', [0xf4, 0x90, 0x80, 0x80]],
    ['0xFF', [0xff]],
    ['0xFE 0xFF', [0xfe, 0xff]],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9]],
  ];

  test.for(INVALID_UTF8)('%s is not UTF-8 and therefore not JSON', async ([, bytes]) => {
    for (const [before, after] of [
      ['{"properties":{"v":"', '"},'],
      ['{"properties":{"', '":1},'],
      ['{"custom":"', '",'],
      ['{"userId":"', '",'],
    ] as const) {
      const [head, tail] = batchText(tenant.writeKey, [
        `${before}#${after}${eventText().slice(1)}`,
      ]).split('#');
      const body = Buffer.concat([Buffer.from(head!), Buffer.from(bytes), Buffer.from(tail!)]);
      expectProblem(await post(ingest(), body), 400, 'MALFORMED_JSON');
    }
  });

  test('a byte order mark is refused or ignored', async () => {
    const messageId = newMessageId();
    const body = `\ufeff${batchText(tenant.writeKey, [eventOf(messageId)])}`;
    const answer = await post(ingest(), body);
    if (answer.status === 200) await storedEvent(tenant.workspaceId, messageId);
    else expectProblem(answer, 400, 'MALFORMED_JSON');
  });

  test('UTF-16 is not JSON', async () => {
    const body = batchText(tenant.writeKey, [eventText()]);
    expectProblem(await post(ingest(), Buffer.from(body, 'utf16le')), 400, 'MALFORMED_JSON');
  });
});

test('a batch is still accepted after all of these', async () => {
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventText()]), 1);
});
