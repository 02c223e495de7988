import { PLAIN, type Scenario } from '../ingest/scenarios.ts';

/** 20 MB/s: an event of the load has about 740 bytes. */
const STEADY_EVENTS_PER_SECOND = 27_000;
/** More than are in progress at a time, so that no request waits for a connection. */
const STEADY_CONNECTIONS = 128;

const SHARED = { ...PLAIN, eventsPerBatch: 100, isSpread: true };
const STEADY = {
  ...SHARED,
  connections: STEADY_CONNECTIONS,
  eventsPerSecond: STEADY_EVENTS_PER_SECOND,
};

/** A third of it, for machines on which the brokers do not get the CPU time for 20 MB/s. */
const LOW = { ...STEADY, eventsPerSecond: STEADY_EVENTS_PER_SECOND / 3 };

/** Each is compared with the scenario `spool-…` of the same load. */
export const COST_SCENARIOS: readonly Scenario[] = [
  { ...STEADY, key: 'spool-steady', name: 'spool, 20 MB/s', server: 'ours' },
  { ...STEADY, key: 'log-steady', name: 'log, 20 MB/s', server: 'logged' },
  { ...STEADY, key: 'apart-steady', name: 'log, 20 MB/s, two processes', server: 'logged apart' },
  { ...LOW, key: 'spool-low', name: 'spool, 7 MB/s', server: 'ours' },
  { ...LOW, key: 'log-low', name: 'log, 7 MB/s', server: 'logged' },
  { ...SHARED, key: 'spool-max', name: 'spool, maximum rate', server: 'ours' },
  { ...SHARED, key: 'log-max', name: 'log, maximum rate', server: 'logged' },
];

export const HUNG: Scenario = {
  ...STEADY,
  key: 'hung',
  name: 'a broker hangs, 20 MB/s',
  server: 'logged',
};
