import type { AppDeps } from '../../platform/context.ts';
import { type Repeated, repeat } from '../../platform/jobs/repeat.ts';
import { advanceJourney, PEOPLE_MAX } from './advance-journey.ts';
import { consumeSignals, SIGNALS_MAX } from './consume-signals.ts';
import { dueJourneys } from './load-due.ts';

export type Journeys = {
  /** What is under way is waited for; the rest stays for the next process. */
  stop(): Promise<void>;
};

/** A look is two questions of an index; nobody notices a second in a journey. */
const LOOK_INTERVAL_MS = 1_000;
const RETRY_MS_MAX = 30_000;

/** Moves everybody whose time has come, for as long as the process lives. Processes share the work. */
export function startJourneys(deps: AppDeps): Journeys {
  const stopping = new AbortController();
  const advancing = repeat(() => advanceOnce(deps), {
    intervalMs: LOOK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      deps.log.warn({ reason: (error as Error).message, failures }, 'journeys wait');
    },
  });
  return {
    async stop() {
      stopping.abort();
      await advancing;
    },
  };
}

/** A batch of each journey, so that a large one holds up no other. */
export async function advanceOnce(deps: AppDeps): Promise<Repeated> {
  let isMore = (await consumeSignals(deps)) === SIGNALS_MAX;
  const now = new Date(deps.clock.nowMs());
  for (const journeyId of await deps.database.asSystem(em => dueJourneys(em, now))) {
    try {
      const { people } = await advanceJourney(deps, journeyId);
      isMore ||= people === PEOPLE_MAX;
    } catch (error) {
      // Its people wait; those of other journeys must not wait for them.
      deps.log.error({ err: error, journeyId }, 'a journey cannot go on');
    }
  }
  return isMore ? 'again' : 'wait';
}
