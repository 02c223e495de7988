// Scenarios without a response, or with an incomplete one.

import { always, cut, firstly, loseAnswer, silence, slow, truncateAnswer } from '../faults.ts';
import { batchAttempts, markOf } from '../record.ts';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const REFUSED_MS = 2_500;
const SLOW_MS = 2_000;
const AWAY_ATTEMPTS = 5;
/** Long enough to count the attempts of a client that retries immediately. */
const AWAY_MS = 2_500;
/** After two doublings, a wait is four times as long; half of each wait may be random. */
const GROWTH_MIN = 1.5;

export const OUTAGES: readonly Scenario[] = [
  {
    name: 'offline-at-start',
    summary: 'Connections are refused for 2.5 s after the client starts.',
    rules: ['retry'],
    arrival: 'retry',
    async play(stage) {
      await stage.server.setOpen(false);
      stage.track(3);
      stage.flush();
      await stage.pause(REFUSED_MS);
      await stage.server.setOpen(true);
      await stage.untilStored();
    },
  },
  {
    name: 'refused',
    summary: 'Connections are refused for 2.5 s while the client runs.',
    rules: ['retry', 'timestamp'],
    arrival: 'retry',
    async play(stage) {
      stage.track(1);
      stage.flush();
      await stage.untilStored();
      await stage.server.setOpen(false);
      const calls = stage.track(3);
      stage.flush();
      await stage.pause(REFUSED_MS);
      const openedAtMs = Date.now();
      await stage.server.setOpen(true);
      await stage.untilStored();
      checkTimestamps(stage, new Set(calls.map(({ mark }) => mark)), openedAtMs);
    },
  },
  {
    name: 'reset',
    summary: 'Two connections are reset before a response arrives.',
    rules: ['retry'],
    arrival: 'retry',
    async play(stage) {
      stage.server.plan = firstly(cut, cut);
      await sendThree(stage);
    },
  },
  {
    name: 'answer-lost',
    summary: 'Ingest stores the events, but the connection is reset before the response arrives.',
    rules: ['retry'],
    async play(stage) {
      stage.server.plan = firstly(loseAnswer);
      await sendThree(stage);
      await stage.untilAttempts(2);
    },
  },
  {
    name: 'answer-truncated',
    summary: 'Ingest stores the events, but the body of its response is truncated.',
    rules: [],
    async play(stage) {
      stage.server.plan = firstly(truncateAnswer);
      await sendThree(stage);
      await sendThree(stage);
    },
  },
  {
    name: 'slow-answer',
    summary: 'The response takes 2 s.',
    rules: ['patience'],
    async play(stage) {
      stage.server.plan = firstly(slow(SLOW_MS));
      await sendThree(stage);
    },
    check(stage) {
      const [first] = batchAttempts(stage.record);
      const hasWaited = first?.ending?.kind === 'answered';
      stage.expect('patience', hasWaited, 'the client waits', 'it closed the connection');
    },
  },
  {
    name: 'no-answer',
    summary: 'The server receives the request and never responds.',
    rules: ['time-out'],
    arrival: 'time-out',
    async play(stage) {
      stage.server.plan = firstly(silence);
      await sendThree(stage);
    },
  },
  {
    name: 'server-away',
    summary: `Connections are reset for at least 2.5 s and until the client has made ${AWAY_ATTEMPTS} attempts.`,
    rules: ['backoff', 'keep-trying'],
    arrival: 'keep-trying',
    async play(stage) {
      stage.server.plan = always(cut);
      stage.track(3);
      stage.flush();
      await Promise.all([stage.untilAttempts(AWAY_ATTEMPTS), stage.pause(AWAY_MS)]);
      stage.server.plan = firstly();
      await stage.untilStored();
    },
    check: checkGrowth,
  },
  {
    name: 'exit-while-away',
    summary: 'The server never responds, and the app closes the client.',
    rules: ['close-ends'],
    async play(stage) {
      stage.server.plan = always(silence);
      stage.track(3, 'either');
      await stage.close();
    },
  },
];

async function sendThree(stage: Stage): Promise<void> {
  stage.track(3);
  stage.flush();
  await stage.untilStored();
}

/** The calls were made before the server was reachable again, so their times must be earlier. */
function checkTimestamps(stage: Stage, marks: ReadonlySet<string>, openedAtMs: number): void {
  for (const { delivery } of batchAttempts(stage.record))
    for (const event of delivery.events)
      if (marks.has(markOf(event) ?? ''))
        stage.expect(
          'timestamp',
          Date.parse(event.timestamp) <= openedAtMs,
          `the time of the call, before ${new Date(openedAtMs).toISOString()}`,
          event.timestamp,
        );
}

function checkGrowth(stage: Stage): void {
  const at = batchAttempts(stage.record).map(({ atMs }) => atMs);
  const waits = at.slice(1, AWAY_ATTEMPTS).map((atMs, index) => atMs - at[index]!);
  const [first, second, third, fourth] = waits;
  if (first === undefined || second === undefined || third === undefined) return;
  if (fourth === undefined) return;
  const isGrowing = third + fourth >= GROWTH_MIN * (first + second);
  stage.expect('backoff', isGrowing, 'waits that double', `${waits.join(', ')} ms`);
}
