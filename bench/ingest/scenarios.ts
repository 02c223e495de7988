import { availableParallelism } from 'node:os';
import type { ServerName } from './servers.ts';

export type Scenario = {
  /** Stable, for machines. */
  readonly key: string;
  readonly name: string;
  readonly server: ServerName;
  readonly eventsPerBatch: number;
  readonly isGzipped: boolean;
  /** The number of connections, each with one request at a time. */
  readonly connections: number;
  /** Kept open beside them, without a request. */
  readonly idleConnections: number;
  /** Stopped while the load runs, then let go on. */
  readonly isClickHouseAway: boolean;
  /** All cores for everything and a thread for each, as `npm start` has it; else a core for the server. */
  readonly isSpread: boolean;
  /** Undefined: as fast as answers come. */
  readonly eventsPerSecond: number | undefined;
  /** Whether the server is sampled once a second. */
  readonly isSampled: boolean;
  /** Whether a live view of the workspace is open. */
  readonly isWatched: boolean;
};

/** The default of a row. */
export const CONNECTIONS = 32;

export const CEILING = 'bare-100';
export const OURS = 'ours-100';
export const WATCHED = 'ours-100-watched';
export const FASTIFY = 'fastify-100';

const PLAIN = {
  isGzipped: false,
  connections: CONNECTIONS,
  idleConnections: 0,
  isClickHouseAway: false,
  isSpread: false,
  eventsPerSecond: undefined,
  isSampled: false,
  isWatched: false,
};

export const SCENARIOS: readonly Scenario[] = [
  { ...PLAIN, key: CEILING, name: 'bare: JSON.parse only', server: 'bare', eventsPerBatch: 100 },
  { ...PLAIN, key: OURS, name: 'ours', server: 'ours', eventsPerBatch: 100 },
  {
    ...PLAIN,
    key: WATCHED,
    name: 'ours, watched',
    server: 'ours',
    eventsPerBatch: 100,
    isWatched: true,
  },
  {
    ...PLAIN,
    key: 'ours-100-away',
    name: 'ours, ClickHouse stopped',
    server: 'ours',
    eventsPerBatch: 100,
    isClickHouseAway: true,
  },
  {
    ...PLAIN,
    key: FASTIFY,
    name: 'Fastify + zod + client',
    server: 'fastify',
    eventsPerBatch: 100,
  },
  {
    ...PLAIN,
    key: 'ours-100-gzip',
    name: 'ours, gzip',
    server: 'ours',
    eventsPerBatch: 100,
    isGzipped: true,
  },
  { ...PLAIN, key: 'ours-10', name: 'ours, batches of 10', server: 'ours', eventsPerBatch: 10 },
  { ...PLAIN, key: 'bare-1', name: 'bare, batches of 1', server: 'bare', eventsPerBatch: 1 },
  { ...PLAIN, key: 'ours-1', name: 'ours, batches of 1', server: 'ours', eventsPerBatch: 1 },
  {
    ...PLAIN,
    key: 'ours-100-spread',
    name: 'ours, all cores',
    server: 'ours',
    eventsPerBatch: 100,
    isSpread: true,
  },
  {
    ...PLAIN,
    key: 'ours-1-spread',
    name: 'ours, all cores, batches of 1',
    server: 'ours',
    eventsPerBatch: 1,
    isSpread: true,
  },
  manyConnections('bare', 512),
  manyConnections('ours', 128),
  manyConnections('ours', 512),
  manyConnections('ours', 512, 5_000),
  manyConnections('fastify', 128),
];

/** Batches of 100, as those of the other rows. */
function manyConnections(server: ServerName, connections: number, idleConnections = 0): Scenario {
  const beside = idleConnections > 0 ? ` and ${idleConnections.toLocaleString('en-US')} idle` : '';
  return {
    ...PLAIN,
    key: `${server}-100-at-${connections}${idleConnections > 0 ? '-idle' : ''}`,
    name: `${server}, ${connections}${beside} connections`,
    server,
    eventsPerBatch: 100,
    connections,
    idleConnections,
  };
}

/**
 * Two cores with all processes on them: the whole pipeline under a steady load, with and without
 * ClickHouse.
 */
export function sustainedScenarios(eventsPerSecond: number): readonly Scenario[] {
  const steady = {
    ...PLAIN,
    server: 'ours',
    eventsPerBatch: 100,
    isSpread: true,
    isSampled: true,
    eventsPerSecond,
  } as const;
  const text = eventsPerSecond.toLocaleString('en-US');
  return [
    {
      ...steady,
      key: 'half',
      name: `half of ${text}/s`,
      eventsPerSecond: eventsPerSecond / 2,
    },
    { ...steady, key: 'sustained', name: `${text}/s` },
    { ...steady, key: 'away', name: `${text}/s, ClickHouse stopped`, isClickHouseAway: true },
  ];
}

/** Of ours: one for its one core, else ingest's own default. */
export function threadsOf({ isSpread }: Scenario): number {
  return isSpread ? availableParallelism() : 1;
}
