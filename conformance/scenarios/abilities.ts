// Scenarios for clients that keep events in storage, ask for consent, or whose clock can be set.

import { always, firstly, loseAnswer, refuse } from '../faults.ts';
import { batchAttempts, markOf } from '../record.ts';
import type { Scenario } from '../scenario.ts';
import { QUIET_MS, type Stage } from '../stage.ts';

/** The maximum time from a call until its event is in storage. */
const STORAGE_MS = 1_000;
const CLOCK_OFFSET_MS = -3 * 24 * 60 * 60 * 1000;
/** The maximum difference between the time of a call and its corrected time, on a busy machine. */
const CORRECTION_MAX_MS = 10_000;

export const ABILITIES: readonly Scenario[] = [
  {
    name: 'killed',
    summary:
      'Ingest stores a batch, but the response is lost; later requests get a 503. The client is killed and restarted with the same storage.',
    needs: 'persistence',
    rules: ['persisted', 'anonymous-id'],
    arrival: 'persisted',
    async play(stage) {
      const unavailable = always(refuse(503, 'UNAVAILABLE'));
      const first = firstly(loseAnswer);
      let isFirst = true;
      stage.server.plan = attempt => {
        const fault = isFirst ? first(attempt) : unavailable(attempt);
        isFirst &&= attempt.delivery === undefined;
        return fault;
      };
      stage.call('identify');
      stage.track(3);
      stage.flush();
      await stage.untilAttempts(2);
      stage.track(2);
      await stage.pause(STORAGE_MS);
      await stage.kill();
      stage.server.plan = firstly();
      stage.start();
      stage.track(1);
      stage.flush();
      await stage.untilStored();
    },
    check: checkAnonymousId,
  },
  {
    name: 'wrong-clock',
    summary: 'The clock of the device is three days behind.',
    needs: 'clock',
    rules: ['one-clock'],
    clockOffsetMs: CLOCK_OFFSET_MS,
    async play(stage) {
      stage.track(2);
      stage.flush();
      await stage.untilStored();
    },
    check(stage, stored) {
      for (const { corrected_at } of stored) {
        const offMs = Math.abs(Date.parse(corrected_at) - stage.record.calls[0]!.atMs);
        const isCorrected = offMs <= CORRECTION_MAX_MS;
        stage.expect(
          'one-clock',
          isCorrected,
          'corrected_at is the correct time',
          `${offMs} ms off`,
        );
      }
    },
  },
  {
    name: 'consent',
    summary: 'Consent is refused, then given, then withdrawn; the app calls track() each time.',
    needs: 'consent',
    rules: ['consent'],
    async play(stage) {
      stage.say({ call: 'consent', granted: false });
      stage.track(2, 'dropped');
      stage.flush();
      await stage.pause(QUIET_MS / 3);
      stage.say({ call: 'consent', granted: true });
      stage.track(2);
      stage.flush();
      await stage.untilStored();
      stage.say({ call: 'consent', granted: false });
      stage.track(1, 'dropped');
      stage.flush();
      await stage.pause(QUIET_MS / 3);
    },
    check: expectNothingDropped,
  },
];

function checkAnonymousId(stage: Stage): void {
  const events = batchAttempts(stage.record).flatMap(({ delivery }) => delivery.events);
  const ids = new Set(events.map(({ anonymousId }) => anonymousId));
  const found = [...ids].join(', ');
  stage.expect('anonymous-id', ids.size === 1, 'the same anonymousId after the restart', found);
}

function expectNothingDropped(stage: Stage): void {
  const dropped = new Set(
    stage.record.calls.filter(({ fate }) => fate === 'dropped').map(({ mark }) => mark),
  );
  for (const { delivery, number } of batchAttempts(stage.record)) {
    const sent = delivery.events.find(event => dropped.has(markOf(event) ?? ''));
    stage.expect(
      'consent',
      sent === undefined,
      'no event from a period without consent',
      `request ${number}: ${JSON.stringify(sent)}`,
    );
  }
}
