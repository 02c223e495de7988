// `npm run simulate`: runs simulations outside of the tests, to repeat a failed one or to run many
// more.

import { parseArgs } from 'node:util';
import { live, simulate } from './simulate.ts';
import { simulateLog } from './simulate-log.ts';
import { LOG_WORLDS, SHORT_LIFE, WORLDS, WORLDS_WITHOUT } from './worlds.ts';

const USAGE = `Usage: npm run simulate -- [options]

  --world NAME   only this world (default: all worlds)
  --seed N       only the run with this seed
  --seeds N      runs with seeds 1 to N of each world (default 500)
  --until-broken stops at the first run that violates an invariant
  --call N       a short run in which the Nth disk call fails
  --and-after    with --call: all later disk calls fail too, until the restart

Worlds:
${Object.keys({ ...WORLDS, ...WORLDS_WITHOUT, ...LOG_WORLDS })
  .map(name => `  ${name}`)
  .join('\n')}
`;

/** The command that repeats only this run. */
export function replayCommand(seed: number, world: string): string {
  return `npm run simulate -- --world '${world}' --seed ${seed}`;
}

export function replayCallCommand(seed: number, call: number, andAfter: boolean): string {
  return `npm run simulate -- --seed ${seed} --call ${call}${andAfter ? ' --and-after' : ''}`;
}

if (import.meta.main) await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      world: { type: 'string' },
      seed: { type: 'string' },
      seeds: { type: 'string', default: '500' },
      'until-broken': { type: 'boolean', default: false },
      call: { type: 'string' },
      'and-after': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (values.call !== undefined) {
    const failing = { failingCall: Number(values.call), failsFromThere: values['and-after'] };
    const { violations } = await live(Number(values.seed ?? 1), { ...SHORT_LIFE, ...failing });
    report(violations);
    return;
  }
  const { world } = values;
  const worlds = world === undefined ? Object.keys({ ...WORLDS, ...LOG_WORLDS }) : [world];
  const only = values.seed === undefined ? undefined : Number(values.seed);
  const lives = {
    first: only ?? 1,
    last: only ?? Number(values.seeds),
    untilBroken: values['until-broken'],
  };
  for (const name of worlds) await runWorld(name, lifeIn(name), lives);
}

type Lives = { readonly first: number; readonly last: number; readonly untilBroken: boolean };

/** Runs the life of a seed in the world of this name. */
type LiveOnce = (seed: number) => Promise<readonly string[]>;

function lifeIn(world: string): LiveOnce {
  const options = { ...WORLDS, ...WORLDS_WITHOUT }[world];
  if (options !== undefined) return seed => simulate(seed, options);
  const logOptions = LOG_WORLDS[world];
  if (logOptions === undefined) throw new Error(`There is no world named ${world}`);
  return seed => simulateLog(seed, logOptions);
}

async function runWorld(name: string, liveOnce: LiveOnce, lives: Lives): Promise<void> {
  const startedCpu = process.cpuUsage();
  const { first, last, untilBroken } = lives;
  let count = 0;
  let broken = 0;
  for (let seed = first; seed <= last && !(untilBroken && broken > 0); seed++) {
    const violations = await liveOnce(seed).catch((error: unknown) => [String(error)]);
    count++;
    if (violations.length === 0) continue;
    broken++;
    process.stdout.write(`${replayCommand(seed, name)}\n`);
    report(violations);
  }
  const { user, system } = process.cpuUsage(startedCpu);
  const perSecond = count / ((user + system) / 1e6);
  process.stdout.write(
    `${name}: ${count} runs, ${broken} violations, ${perSecond.toFixed(0)} runs per second of CPU\n`,
  );
}

function report(violations: readonly string[]): void {
  if (violations.length === 0) {
    process.stdout.write('no invariant was violated\n');
    return;
  }
  process.exitCode = 1;
  for (const violation of violations) process.stdout.write(`  ${violation}\n`);
}
