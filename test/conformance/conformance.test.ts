// The kit passes a client that follows the rules, and reports each rule that another client breaks.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { outcomeText } from '../../conformance/report.ts';
import { RULES, type RuleId } from '../../conformance/rules.ts';
import { runScenario } from '../../conformance/run-scenario.ts';
import { SCENARIOS } from '../../conformance/scenarios/all.ts';
import { openService, type Service } from '../../conformance/service.ts';

/** The time that a client without faults may take on a busy machine. */
const TIME_LIMIT_MS = 180_000;
/** Events that a broken client loses never arrive, so each run of one takes this long. */
const LOST_AFTER_MS = 30_000;

let service: Service;
beforeAll(() => {
  service = openService({
    ingestUrl: inject('ingestUrl'),
    databaseUrl: inject('databaseUrls').owner,
    clickhouseUrl: inject('clickhouseUrl'),
  });
});
afterAll(() => service.close());

function play(name: string, driver: string, timeLimitMs: number) {
  const scenario = SCENARIOS.find(scenario => scenario.name === name)!;
  const command = `${process.execPath} ${join(import.meta.dirname, driver)}`;
  const { signal } = new AbortController();
  return runScenario(scenario, { service, command, timeLimitMs, signal });
}

/** The fault, a scenario, and all that it has to find there. */
const BROKEN: readonly (readonly [fault: string, scenario: string, rules: readonly RuleId[]])[] = [
  // The longest first.
  ['closes only when all is sent', 'exit-while-away', ['close-ends']],
  ['careless with identities', 'plain-day', ['anonymous-id', 'session-id', 'user-id', 'order']],
  ['sends no write key, as HTML', 'plain-day', ['envelope', 'media-type']],
  ['names an encoding it does not use', 'plain-day', ['encoding']],
  ['sends all at once', 'many-events', ['batch-events']],
  ['sends all at once', 'large-events', ['batch-bytes']],
  ['sends all at once', 'event-too-large', ['event-too-large']],
  ['sends events one by one', 'many-events', ['batches-filled']],
  ['leaves out the session', 'plain-day', ['required-fields']],
  ['sends every call as track, in ASCII', 'every-kind', ['call-kinds']],
  ['sends every call as track, in ASCII', 'values', ['json-values']],
  ['has one messageId for all', 'plain-day', ['message-id-unique']],
  ['queues each call twice', 'plain-day', ['once', 'message-id-kept']],
  ['makes new IDs on a retry', 'answer-lost', ['message-id-kept', 'once']],
  ['sets the time when it sends', 'refused', ['timestamp']],
  ['sets the time when it sends', 'reset', ['content-kept']],
  ['sends the first sentAt again', '503', ['sent-at']],
  ['does nothing on flush', 'plain-day', ['flush']],
  ['does nothing on flush', 'slow-answer', ['delivered']],
  ['sends again after a 200', 'plain-day', ['acknowledged']],
  ['sends again after a 400', '400-some-events', ['rejected-not-resent']],
  ['sends again after a 400', '400-batch', ['refused-batch']],
  ['stops after a 400', '400-batch', ['queue-goes-on']],
  ['sends again after a 401', '401', ['key-refused', 'stop-on-401']],
  ['drops after a 413', '413', ['split-on-413']],
  ['sends again after a 413', '413-one-event', ['event-too-large']],
  ['compresses again after a 415', '415', ['encoding-refused']],
  ['drops after a 503', '503', ['retry']],
  ['ignores Retry-After', '429', ['retry-after']],
  ['waits the same time', 'server-away', ['backoff']],
  ['does not wait', 'server-away', ['no-hammering']],
  ['gives up after three attempts', 'server-away', ['keep-trying']],
  ['sends from two flushes', 'slow-answer', ['one-request-per-event']],
  ['waits a second for a response', 'slow-answer', ['patience']],
  ['waits forever for a response', 'no-answer', ['time-out']],
  ['trusts any 200', '200-html', ['answer-is-json']],
  ['trusts any 403', '403-html', ['answer-is-json']],
  ['follows redirects', 'redirect', ['no-redirect']],
  ['closes without sending', 'exit', ['close-flushes']],
  ['keeps events in memory', 'killed', ['persisted', 'anonymous-id']],
  ['has two clocks', 'wrong-clock', ['one-clock', 'sent-at']],
  ['ignores consent', 'consent', ['consent']],
  [
    'sends all feedback to one path, of somebody, without keys',
    'in-app',
    ['in-app-fetch', 'feedback-route', 'feedback-key'],
  ],
  ['forgets what was pushed', 'push', ['push-engagement']],
  ['forgets what was pushed', 'devices', ['device']],
];

describe.concurrent('the kit detects a client that', () => {
  test.for(BROKEN)('%s (%s)', async ([fault, scenario, rules]) => {
    const outcome = await play(scenario, `broken-driver.mjs '${fault}'`, LOST_AFTER_MS);
    const failed = outcome.findings
      .filter(({ status }) => status === 'failed')
      .map(({ rule }) => rule);
    expect(failed, outcomeText(outcome)).toEqual(expect.arrayContaining([...rules]));
    for (const { rule, expected, found, change } of outcome.findings)
      if (rules.includes(rule)) expect([expected, found, change]).not.toContain(undefined);
  });
});

/** Our client for Node keeps its queue in memory, and has no in-app messages. */
const OF_NODE = SCENARIOS.filter(({ needs }) => needs === undefined || needs === 'devices');

describe.concurrent.each([
  ['a client that follows the rules', 'driver.mjs', SCENARIOS],
  ['our client for Node', 'sdk-driver.mjs', OF_NODE],
])('%s passes', (_, driver, scenarios) => {
  test.for(scenarios)('$name', async ({ name }) => {
    const outcome = await play(name, driver, TIME_LIMIT_MS);
    const notPassed = outcome.findings.filter(({ status }) => status !== 'passed');
    expect(notPassed, outcomeText(outcome)).toEqual([]);
  });
});

test('each rule is broken by a client of this test', () => {
  const broken = new Set(BROKEN.flatMap(([, , rules]) => rules));
  expect(Object.keys(RULES).filter(rule => !broken.has(rule as RuleId))).toEqual([]);
});
