import { availableParallelism } from 'node:os';
import type { ServerName } from './servers.ts';

export type Scenario = {
  /** A stable identifier for scripts. */
  readonly key: string;
  readonly name: string;
  readonly server: ServerName;
  readonly eventsPerBatch: number;
  readonly isGzipped: boolean;
  /** The number of connections, each with one request at a time. */
  readonly connections: number;
  /** The number of additional idle connections. */
  readonly idleConnections: number;
  /** Whether ClickHouse is stopped during the load and resumed afterwards. */
  readonly isClickHouseAway: boolean;
  /**
   * Whether all processes share all cores, with a thread per core, as in `npm start`; otherwise the
   * server has its own core.
   */
  readonly isSpread: boolean;
  /** Undefined for the maximum rate. */
  readonly eventsPerSecond: number | undefined;
  /** Whether the server is sampled once a second. */
  readonly isSampled: boolean;
  /** Whether a live view of the workspace is open. */
  readonly isWatched: boolean;
};

/** The default number of connections. */
export const CONNECTIONS = 32;

export const CEILING = 'bare-100';
export const OURS = 'ours-100';
export const WATCHED = 'ours-100-watched';
export const FASTIFY = 'fastify-100';

/** At the maximum rate, with everything else as usual. */
export const PLAIN = {
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

/** Batches of 100, like the other scenarios. */
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
 * All processes share two cores: the whole pipeline under a steady load, with and without
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

/** The threads of ingest: one for its single core, otherwise ingest's default. */
export function threadsOf({ isSpread }: Scenario): number {
  return isSpread ? availableParallelism() : 1;
}
