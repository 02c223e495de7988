// Runs the scenarios in turn, round after round, with the same engines.

import type { BenchOptions } from '../bench.ts';
import { startEngines } from './engines.ts';
import { type Measurement, measure } from './measure.ts';
import { CONNECTIONS, type Scenario } from './scenarios.ts';
import { needsBrokers } from './servers.ts';
import type { Results } from './spread.ts';

const BAR_WIDTH = 20;
/** Then Java has compiled most of their hot code. */
const BROKERS_WARM_UP_SECONDS = 120;

export async function takeRounds(
  scenarios: readonly Scenario[],
  { seconds, rounds, execArgv, progress }: BenchOptions,
  signal: AbortSignal,
  clickhouseNice = 0,
): Promise<Results> {
  const results = new Map<Scenario, Measurement[]>(scenarios.map(scenario => [scenario, []]));
  progress('starting the databases');
  const logged = scenarios.find(({ server }) => needsBrokers(server));
  const engines = await startEngines({ clickhouseNice, withBrokers: logged !== undefined });
  try {
    if (logged !== undefined) {
      progress('warming up the brokers');
      const atMaximumRate = { ...logged, eventsPerSecond: undefined, connections: CONNECTIONS };
      await measure(atMaximumRate, {
        engines,
        seconds: BROKERS_WARM_UP_SECONDS,
        signal,
        execArgv: [],
      });
    }
    const steps = scenarios.length * rounds;
    for (let step = 0; step < steps; step++) {
      const scenario = scenarios[step % scenarios.length]!;
      const round = Math.floor(step / scenarios.length) + 1;
      progress(`${bar(step, steps)} round ${round} of ${rounds}, ${scenario.name}`);
      const options = { engines, seconds, signal, execArgv };
      results.get(scenario)!.push(await measure(scenario, options));
    }
  } finally {
    await engines.stop();
  }
  return results;
}

function bar(done: number, all: number): string {
  const filled = Math.round((done / all) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}
