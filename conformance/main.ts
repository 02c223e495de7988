// npm run conformance -- --client "cmd": checks whether a client follows the rules of
// docs/sdk-protocol.md.

import { parseArgs } from 'node:util';
import { outcomeText, summaryText } from './report.ts';
import { type Outcome, runScenario } from './run-scenario.ts';
import { CAPABILITIES, type Capability, type Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { startService } from './start-service.ts';

const TIME_LIMIT_SECONDS = 60;
/** Clients mostly wait, but the kit measures these waits, so the machine must not be busy. */
const AT_ONCE = 4;
const USAGE = `Usage: npm run conformance -- --client "COMMAND" [options]

  --client COMMAND      starts the driver of your client; see docs/sdk-protocol.md
  --has LIST            optional features of your client, separated by commas: ${CAPABILITIES.join(', ')}
  --scenario NAME       runs only this scenario; repeatable
  --time-limit SECONDS  the time limit of each scenario (default: ${TIME_LIMIT_SECONDS})
  --json                prints one JSON object per scenario
  --list                prints the scenarios and exits

Starts its own Postgres, ClickHouse and ingest. Exits with 1 if the client breaks a MUST rule.
`;

type Options = {
  readonly client: string;
  readonly has: readonly Capability[];
  readonly scenarios: readonly Scenario[];
  readonly timeLimitMs: number;
  readonly isJson: boolean;
};

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      client: { type: 'string' },
      has: { type: 'string', default: '' },
      scenario: { type: 'string', multiple: true },
      'time-limit': { type: 'string', default: String(TIME_LIMIT_SECONDS) },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return print(USAGE);
  if (values.list) return print(SCENARIOS.map(listLine).join(''));
  return run({
    client: required(values.client, '--client must be the command that starts the driver'),
    has: values.has.split(',').filter(Boolean).map(capabilityOf),
    scenarios: values.scenario?.map(scenarioOf) ?? SCENARIOS,
    timeLimitMs: secondsOf(values['time-limit']) * 1000,
    isJson: values.json,
  });
}

async function run({ client, has, scenarios, timeLimitMs, isJson }: Options): Promise<number> {
  const isPlayed = ({ needs }: Scenario) => needs === undefined || has.includes(needs);
  const skipped = scenarios.filter(scenario => !isPlayed(scenario)).map(skippedLine);
  const waiting = scenarios.filter(isPlayed);
  const outcomes: Outcome[] = [];
  const { signal, stop } = stopOnSignals();
  const service = await startService();
  const play = async () => {
    while (!signal.aborted && waiting.length > 0) {
      const scenario = waiting.shift()!;
      const outcome = await runScenario(scenario, {
        service,
        command: client,
        timeLimitMs,
        signal,
      });
      outcomes.push(outcome);
      print(isJson ? `${JSON.stringify(outcome)}\n` : outcomeText(outcome));
    }
  };
  try {
    // Waits for all scenarios, even if one fails, so that each can stop the processes that it
    // started.
    const plays = Array.from({ length: AT_ONCE }, () => play().catch(stop));
    await Promise.all(plays);
    signal.throwIfAborted();
  } finally {
    await service.close();
  }
  if (!isJson) print(summaryText(outcomes, skipped));
  return outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;
}

function stopOnSignals(): { signal: AbortSignal; stop: (reason: unknown) => void } {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => controller.abort(new Error(`stopped by ${name}`)));
  return { signal: controller.signal, stop: reason => controller.abort(reason) };
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function listLine({ name, summary, needs }: Scenario): string {
  return `${name.padEnd(18)} ${summary}${needs === undefined ? '' : ` Needs --has ${needs}.`}\n`;
}

function skippedLine({ name, needs }: Scenario): string {
  return `skipped  ${name}: needs --has ${needs}`;
}

function scenarioOf(name: string): Scenario {
  const found = SCENARIOS.find(scenario => scenario.name === name);
  return required(found, `There is no scenario ${name}; --list prints all scenarios`);
}

function capabilityOf(name: string): Capability {
  const found = CAPABILITIES.find(capability => capability === name);
  return required(found, `--has accepts ${CAPABILITIES.join(', ')}, not ${name}`);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  return required(seconds > 0 ? seconds : undefined, '--time-limit must be a number of seconds');
}

function required<Value>(value: Value | undefined, fault: string): Value {
  if (value === undefined || value === '') throw new Error(`${fault}.\n\n${USAGE}`);
  return value;
}

main().then(
  code => process.exit(code),
  (error: Error) => {
    process.stderr.write(`conformance: ${error.message}\n`);
    process.exit(1);
  },
);
