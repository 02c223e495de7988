// Outbound webhooks, from the rows of their events to a receiver on the same machine: the maximum
// rate, and the latency at a steady rate, with and without an endpoint that never responds.

import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { type Measured, quantileMs, rateOf } from './measured.ts';
import { type OutboundScene, onOutboundScene } from './outbound-scene.ts';
import type { Row } from './print-table.ts';

/** The rate of the steady load: half of the target on two cores shared with all processes. */
const RATE = 500;
const ENDPOINTS = 10;
const WARM_UP_EVENTS = 5_000;
/** The number of events per second of a burst: about as many as can be sent. */
const BURST_RATE = 2_500;
const INSERT_MAX = 10_000;
const TICK_MS = 20;
const LOOK_MS = 20;
const ARRIVAL_MS_MAX = 120_000;

export const outboundBench: Bench = {
  name: 'outbound',
  title:
    'Outbound webhooks (one API process; Postgres, the receiver and the load generator on the same machine)',
  run: ({ seconds, progress, execArgv }) => {
    progress('starting Postgres, the API and a receiver');
    return onOutboundScene(execArgv, async scene => {
      await scene.addEndpoint('/0', ['lane0.*']);
      progress('warming up');
      await burst(scene, WARM_UP_EVENTS, 1);
      progress('at full speed, to one endpoint');
      const toOne = await burst(scene, BURST_RATE * seconds, 1);
      for (let lane = 1; lane < ENDPOINTS; lane++)
        await scene.addEndpoint(`/${lane}`, [`lane${lane}.*`]);
      progress('at full speed, to ten endpoints');
      const toTen = await burst(scene, BURST_RATE * seconds, ENDPOINTS);
      progress('at a steady rate');
      const alone = await steady(scene, seconds);
      await scene.addEndpoint('/hang', []);
      progress('at a steady rate, with another endpoint that never responds');
      const beside = await steady(scene, seconds);
      return [
        burstRow('at full speed, one endpoint', toOne),
        burstRow('the same, ten endpoints', toTen),
        steadyRow(`${RATE}/s over ten endpoints`, alone),
        steadyRow('the same, with an eleventh endpoint that never responds', beside),
      ];
    });
  },
};

type Taken = Measured & { readonly cpuSeconds: number };

/** Releases all waiting events at once, and waits until the last has arrived. */
async function burst(scene: OutboundScene, events: number, lanes: number): Promise<Taken> {
  for (let left = events; left > 0; left -= INSERT_MAX)
    await scene.addEvents(Math.min(left, INSERT_MAX), { lanes, isHeld: true });
  return measured(scene, events, () => scene.letGo());
}

/** Adds the same number of events every few ms, regardless of their progress. */
async function steady(scene: OutboundScene, seconds: number): Promise<Taken> {
  const each = (RATE * TICK_MS) / 1000;
  const ticks = (seconds * 1000) / TICK_MS;
  return measured(scene, each * ticks, async () => {
    const startedAtMs = performance.now();
    for (let tick = 0; tick < ticks; tick++) {
      await wait(Math.max(0, startedAtMs + tick * TICK_MS - performance.now()));
      await scene.addEvents(each, { lanes: ENDPOINTS, isHeld: false });
    }
  });
}

async function measured(
  scene: OutboundScene,
  events: number,
  begin: () => Promise<void>,
): Promise<Taken> {
  const before = await scene.report();
  const cpuBefore = await scene.cpuSeconds();
  const startedAtMs = performance.now();
  const latenciesMs: number[] = [];
  let ids = before.ids;
  const begun = begin();
  while (ids < before.ids + events && performance.now() < startedAtMs + ARRIVAL_MS_MAX) {
    await wait(LOOK_MS);
    const report = await scene.report();
    ids = report.ids;
    latenciesMs.push(...report.latenciesMs);
  }
  await begun;
  return {
    latenciesMs,
    seconds: (performance.now() - startedAtMs) / 1000,
    failed: before.ids + events - ids,
    cpuSeconds: (await scene.cpuSeconds()) - cpuBefore,
  };
}

function burstRow(scenario: string, taken: Taken): Row {
  return { ...rowOf(scenario, taken), 'p50 ms': '', 'p99 ms': '', missing: taken.failed };
}

function steadyRow(scenario: string, taken: Taken): Row {
  return {
    ...rowOf(scenario, taken),
    'p50 ms': quantileMs(taken, 0.5),
    'p99 ms': quantileMs(taken, 0.99),
    missing: taken.failed,
  };
}

function rowOf(scenario: string, taken: Taken): Row {
  return {
    scenario,
    'deliveries/s': Math.round(rateOf(taken)),
    'µs of the API each': Math.round((taken.cpuSeconds * 1e6) / taken.latenciesMs.length),
  };
}
