import type { AppDeps } from '../../platform/context.ts';
import { type Repeated, repeat } from '../../platform/jobs/repeat.ts';
import { advanceJourney, PEOPLE_MAX } from './advance-journey.ts';
import { consumeEntries, ENTRIES_MAX, enteredJourneys } from './consume-entries.ts';
import { consumeSignals, SIGNALS_MAX } from './consume-signals.ts';
import { dueJourneys } from './load-due.ts';

type Journeys = {
  /** Waits for the batch in progress. The rest is left to the next process. */
  stop(): Promise<void>;
};

/** A look runs three indexed queries, and a delay of a second in a journey is not noticeable. */
const LOOK_INTERVAL_MS = 1_000;
const RETRY_MS_MAX = 30_000;

/** Advances due enrolments while the process runs. Several processes share the work. */
export function startJourneys(deps: AppDeps): Journeys {
  const stopping = new AbortController();
  const advancing = repeat(() => advanceOnce(deps), {
    intervalMs: LOOK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      deps.log.warn(
        { reason: (error as Error).message, failures },
        'could not advance journeys, retrying',
      );
    },
  });
  return {
    async stop() {
      stopping.abort();
      await advancing;
    },
  };
}

/** Advances one batch per journey, so that a large journey does not delay the others. */
async function advanceOnce(deps: AppDeps): Promise<Repeated> {
  let isMore = (await consumeSignals(deps)) === SIGNALS_MAX;
  for (const journeyId of await enteredJourneys(deps)) {
    try {
      const entries = await consumeEntries(deps, journeyId);
      isMore ||= entries === ENTRIES_MAX;
    } catch (error) {
      // The failure delays only the entries of this journey.
      deps.log.error({ err: error, journeyId }, 'could not process journey entries, retrying');
    }
  }
  const now = new Date(deps.clock.nowMs());
  for (const journeyId of await deps.database.asSystem(em => dueJourneys(em, now))) {
    try {
      const { people } = await advanceJourney(deps, journeyId);
      isMore ||= people === PEOPLE_MAX;
    } catch (error) {
      // The failure delays only this journey.
      deps.log.error({ err: error, journeyId }, 'could not advance a journey, retrying');
    }
  }
  return isMore ? 'again' : 'wait';
}
