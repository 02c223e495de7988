// Scenarios in which the server responds with a status other than 200, or on behalf of a network.

import { hasStatus, resentProblems } from '../attempt-checks.ts';
import { always, type Fault, firstly, page, pass, refuse, spoil } from '../faults.ts';
import { batchAttempts, markOf, storedMarks } from '../record.ts';
import type { RuleId } from '../rules.ts';
import type { Scenario } from '../scenario.ts';
import { QUIET_MS, type Stage } from '../stage.ts';

const RETRY_AFTER = { 'retry-after': '2', 'x-service-rate-reset': '2' };
/** The limit of a proxy in front of the service, smaller than that of the service. */
const SMALL_BATCH = 3;

export const REFUSALS: readonly Scenario[] = [
  {
    name: '400-some-events',
    summary: 'Ingest rejects two of five events and stores the others.',
    rules: ['rejected-not-resent', 'queue-goes-on'],
    async play(stage) {
      const [, second, , fourth] = stage.track(5);
      second!.fate = 'dropped';
      fourth!.fate = 'dropped';
      const marks = new Set([second!.mark, fourth!.mark]);
      stage.server.plan = always(spoil(event => marks.has(markOf(event) ?? '')));
      stage.flush();
      await stage.untilStored();
      await goOn(stage);
    },
    check: stage => expectNotResent(stage, 400, 'rejected-not-resent'),
  },
  {
    name: '400-batch',
    summary: 'A whole batch is refused.',
    rules: ['refused-batch', 'queue-goes-on'],
    async play(stage) {
      stage.server.plan = firstly(refuse(400, 'INVALID_BATCH'));
      stage.track(3, 'either');
      stage.flush();
      await stage.untilAttempts(1);
      await goOn(stage);
    },
    check: expectNotRepeated,
  },
  {
    name: '401',
    summary: 'The write key does not exist.',
    rules: ['key-refused', 'stop-on-401', 'close-ends'],
    hasUnknownKey: true,
    async play(stage) {
      await refuseKey(stage, 401);
      const before = batchAttempts(stage.record).length;
      stage.track(1, 'dropped');
      stage.flush();
      await stage.pause(QUIET_MS / 3);
      const after = batchAttempts(stage.record).length - before;
      stage.expect('stop-on-401', after === 0, 'no more requests', `${after} more`);
    },
  },
  {
    name: '403',
    summary: 'The key does not accept this origin.',
    rules: ['key-refused', 'close-ends'],
    async play(stage) {
      stage.server.plan = always(refuse(403, 'ORIGIN_NOT_ALLOWED'));
      await refuseKey(stage, 403);
    },
  },
  {
    name: '413',
    summary: `Batches of more than ${SMALL_BATCH} events are refused.`,
    rules: ['split-on-413'],
    arrival: 'split-on-413',
    async play(stage) {
      stage.server.plan = ({ delivery }) =>
        (delivery?.events.length ?? 0) > SMALL_BATCH ? refuse(413, 'PAYLOAD_TOO_LARGE') : pass;
      stage.track(10);
      stage.flush();
      await stage.untilStored();
    },
  },
  {
    name: '413-one-event',
    summary: 'Each batch that contains a certain event is refused.',
    rules: ['split-on-413', 'event-too-large'],
    arrival: 'event-too-large',
    async play(stage) {
      const large = stage.track(4)[1]!;
      large.fate = 'dropped';
      stage.server.plan = ({ delivery }) =>
        delivery?.events.some(event => markOf(event) === large.mark)
          ? refuse(413, 'PAYLOAD_TOO_LARGE')
          : pass;
      stage.flush();
      await stage.untilStored();
    },
  },
  {
    name: '415',
    summary: 'Compressed bodies are refused.',
    rules: ['encoding-refused'],
    arrival: 'encoding-refused',
    async play(stage) {
      stage.server.plan = ({ delivery, headers }) =>
        delivery !== undefined && headers['content-encoding'] !== undefined
          ? refuse(415, 'UNSUPPORTED_ENCODING')
          : pass;
      stage.track(50);
      stage.flush();
      await stage.untilStored();
    },
  },
  {
    name: '429',
    summary:
      'A cap is reached. The response has Retry-After: 2, and the app calls track() and flush() during these 2 s.',
    rules: ['retry', 'retry-after'],
    arrival: 'retry',
    play: stage => tempt(stage, refuse(429, 'RATE_LIMITED', RETRY_AFTER)),
  },
  {
    name: '503-retry-after',
    summary:
      'The service restarts. The response has Retry-After: 2, and the app calls track() and flush() during these 2 s.',
    rules: ['retry', 'retry-after'],
    arrival: 'retry',
    play: stage => tempt(stage, refuse(503, 'UNAVAILABLE', RETRY_AFTER)),
  },
  {
    name: '503',
    summary: 'Two 503 responses without Retry-After.',
    rules: ['retry'],
    arrival: 'retry',
    play: stage => fail(stage, refuse(503, 'UNAVAILABLE'), refuse(503, 'UNAVAILABLE')),
  },
  {
    name: '5xx',
    summary: 'A 500 and a 502 with JSON bodies, then a 504 with an HTML page from a proxy.',
    rules: ['retry'],
    arrival: 'retry',
    play: stage =>
      fail(stage, refuse(500, 'INTERNAL'), refuse(502, 'UPSTREAM_UNREACHABLE'), page(504)),
  },
  {
    name: '200-html',
    summary: 'A 200 with the sign-in page of a network as the body.',
    rules: ['answer-is-json'],
    arrival: 'answer-is-json',
    play: stage => fail(stage, page(200)),
  },
  {
    name: '403-html',
    summary:
      'A 403 and a 404 that come from a proxy, not from the service, each with an HTML page.',
    rules: ['answer-is-json'],
    arrival: 'answer-is-json',
    play: stage => fail(stage, page(403), page(404)),
  },
  {
    name: 'redirect',
    summary: 'A 302 and a 307 that redirect to the sign-in page of a network.',
    rules: ['no-redirect', 'retry'],
    arrival: 'retry',
    async play(stage) {
      const location = `${stage.server.url}/sign-in`;
      await fail(stage, page(302, { location }), page(307, { location }));
    },
    check(stage) {
      const followed = stage.record.attempts.find(({ path }) => path === '/sign-in');
      const found = `${followed?.method} /sign-in`;
      stage.expect('no-redirect', followed === undefined, 'only /v1/batch is requested', found);
    },
  },
];

/** Checks that the same events are sent again until they are stored. */
async function fail(stage: Stage, ...faults: readonly Fault[]): Promise<void> {
  stage.server.plan = firstly(...faults);
  stage.track(3);
  stage.flush();
  await stage.untilStored();
}

/** During the wait, the app makes calls that could cause the client to send. */
async function tempt(stage: Stage, fault: Fault): Promise<void> {
  stage.server.plan = firstly(fault);
  stage.track(3);
  stage.flush();
  await stage.untilAttempts(1);
  await stage.pause(500);
  stage.track(1);
  stage.flush();
  await stage.untilStored();
}

/** After a refusal, checks that nothing is sent for a while, and that a later event is stored. */
async function goOn(stage: Stage): Promise<void> {
  await stage.pause(QUIET_MS);
  const { mark } = stage.call('track');
  stage.flush();
  await stage.until(
    () => storedMarks(stage.record).has(mark),
    () => ({
      rule: 'queue-goes-on',
      expected: 'after the refusal, the client sends the next event',
      found: 'the event did not arrive',
    }),
  );
}

async function refuseKey(stage: Stage, status: number): Promise<void> {
  stage.track(3, 'dropped');
  stage.flush();
  await stage.untilAttempts(1);
  await stage.pause(QUIET_MS);
  expectNotResent(stage, status, 'key-refused');
}

/** A client may divide the batch to find the event that caused the refusal. */
function expectNotRepeated(stage: Stage): void {
  const batches = batchAttempts(stage.record);
  const refused = batches.filter(({ ending }) => hasStatus(400)(ending));
  for (const { delivery, number } of refused) {
    const ids = delivery.events.map(({ messageId }) => messageId);
    const again = batches.find(
      ({ delivery: { events }, number: later }) =>
        later > number && ids.every(id => events.some(({ messageId }) => messageId === id)),
    );
    stage.expect(
      'refused-batch',
      again === undefined,
      `the ${ids.length} events of request ${number} are not sent together again`,
      `request ${again?.number} contains all of them`,
    );
  }
}

function expectNotResent(stage: Stage, status: number, rule: RuleId): void {
  const batches = batchAttempts(stage.record);
  stage.problems.push(...resentProblems(batches, hasStatus(status), rule, `a ${status}`));
}
