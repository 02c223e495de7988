// npm run soak: the service under a steady load for an hour. Shows whether anything grows that should
// not, and whether every acknowledged event is stored exactly once.

import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Interrupted, interruptible } from '../ingest/interruptible.ts';
import { machineText } from '../ingest/machine.ts';
import { nothingSent, type Requests, type Sent, sendEvents } from './event-load.ts';
import { sendQueries } from './query-load.ts';
import { progressLine, type Result, reportOf } from './report.ts';
import { createSampler, type Sample } from './samples.ts';
import { type SoakService, startService } from './service.ts';
import { checkStored } from './stored.ts';
import { judge } from './verdict.ts';

const USAGE = `Usage: npm run soak -- [options]

Starts the service with a new data directory (in TMPDIR), sends events and GraphQL requests, and removes it.
Exits with 1 if an event was lost or duplicated, a request failed or a process was replaced.

  --minutes N               duration (60)
  --events-per-second N     new events (5000)
  --queries-per-second N    GraphQL requests (20)
  --json                    prints one JSON object with all samples
`;

export type Load = {
  readonly minutes: number;
  readonly eventsPerSecond: number;
  readonly queriesPerSecond: number;
};

const SAMPLE_SECONDS = 10;
const SAMPLES_PER_LINE = 3;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      'events-per-second': { type: 'string', default: '5000' },
      'queries-per-second': { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const load: Load = {
    minutes: Number(values.minutes),
    eventsPerSecond: Number(values['events-per-second']),
    queriesPerSecond: Number(values['queries-per-second']),
  };
  if (values.help || !Object.values(load).every(value => value > 0)) {
    process.stdout.write(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const result = await interruptible(signal => soak(load, signal));
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : reportOf(result));
  process.exitCode = result.isRight ? 0 : 1;
}

async function soak(load: Load, signal: AbortSignal): Promise<Result> {
  const machine = machineText();
  say('starting the service');
  const service = await startService(signal);
  try {
    const sent = nothingSent(load.eventsPerSecond, load.minutes * 60);
    const queries: Requests = { sent: 0, failed: 0, firstFailure: undefined };
    const samples = await underLoad(service, load, sent, queries, signal);
    say('waiting for the delivery, then comparing');
    const stored = await checkStored(service, sent, signal);
    const replaced = Object.entries(samples[0]!.pids)
      .filter(([name, pid]) => samples.at(-1)!.pids[name] !== pid)
      .map(([name]) => name);
    const isRight =
      stored.lost + stored.duplicated + stored.unknown === 0 &&
      sent.requests.failed + queries.failed + replaced.length === 0;
    const { acknowledged: _acknowledged, ...events } = sent;
    return {
      machine,
      load,
      isRight,
      replaced,
      stored,
      events,
      queries,
      judged: judge(samples),
      samples,
    };
  } finally {
    await service.stop();
  }
}

/** The load runs from before the first sample until after the last. */
async function underLoad(
  service: SoakService,
  { minutes, eventsPerSecond, queriesPerSecond }: Load,
  sent: Sent,
  queries: Requests,
  signal: AbortSignal,
): Promise<Sample[]> {
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal]);
  const sampler = await createSampler(service);
  const startedMs = Date.now();
  const seconds = () => (Date.now() - startedMs) / 1000;
  const load = Promise.all([
    sendEvents(service, { eventsPerSecond, startedMs, signal: until }, sent),
    sendQueries(service, queriesPerSecond, queries, until),
  ]);
  const samples: Sample[] = [];
  try {
    for (
      let dueSeconds = SAMPLE_SECONDS;
      dueSeconds <= minutes * 60;
      dueSeconds += SAMPLE_SECONDS
    ) {
      const leftMs = Math.max(0, (dueSeconds - seconds()) * 1000);
      // An error of the load ends the wait.
      await Promise.race([load, wait(leftMs, undefined, { signal })]);
      // On a busy machine, a process may miss the time limit of a scrape.
      const sample = await sampler.take(seconds()).catch((error: Error) => error);
      if (sample instanceof Error) say(`no sample: ${sample.message}`);
      else samples.push(sample);
      if (sample instanceof Error || samples.length % SAMPLES_PER_LINE !== 0) continue;
      say(progressLine(sample, sent, queries));
    }
  } finally {
    ending.abort();
    await load;
    await sampler.close();
  }
  return samples;
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

main().catch((error: unknown) => {
  if (!(error instanceof Interrupted)) throw error;
  process.stderr.write('Interrupted: the service was stopped.\n');
  process.exitCode = 130;
});
