// The ClickHouse of a cell, which is one server or a cluster of shards with replicas. Inserts are sent to the
// replicas of their shard in turn. A replica that fails is not used for a while: queries are repeated on the
// next replica, and so is an insert if none of it was sent. The outcome of any other failed insert is unknown,
// so insert-block.ts queries all replicas for its rows before it repeats the insert on another replica with the
// same token.

import { shardAddresses } from '../../schema/environment/clickhouse-addresses.ts';
import { ReplicaChoice } from '../../schema/values/replica-choice.ts';
import { INSERT_TIMEOUT_MS } from '../limits.ts';
import {
  type ClickHouse,
  ClickHouseException,
  ConnectTimeout,
  connectClickHouse,
  type StatementOptions,
} from './clickhouse.ts';

type Options = {
  /** How many replicas of a shard must have a block; at least 1. */
  readonly quorum: number;
  readonly monotonicMs: () => number;
};

/** `addresses` as in clickhouse-addresses.ts. */
export function connectCell(addresses: string, options: Options): ClickHouse {
  const shards = shardAddresses(addresses).map(urls =>
    connectReplicas(urls.map(connectClickHouse), options),
  );
  const [first] = shards;
  return shards.length === 1 ? first! : { ...oneOf(shards, options), shards };
}

/** The connection of a shard. */
export function connectReplicas(replicas: readonly ClickHouse[], options: Options): ClickHouse {
  const [only] = replicas;
  if (replicas.length === 1) return only!;
  return { ...oneOf(replicas, options), replicas, quorum: options.quorum };
}

/** Statements run on one of the servers. */
function oneOf(
  servers: readonly ClickHouse[],
  { quorum, monotonicMs }: Options,
): Pick<ClickHouse, 'execute' | 'close'> {
  const choice = new ReplicaChoice(servers.length, monotonicMs);

  async function execute(sql: string, options: StatementOptions = {}): Promise<string> {
    const isInsert = options.body !== undefined;
    if (isInsert) choice.advance();
    let failure: unknown;
    for (const n of choice.order()) {
      try {
        return await servers[n]!.execute(sql, isInsert ? withQuorum(options, quorum) : options);
      } catch (error) {
        if (!isReplicaFailure(error)) throw error;
        choice.failed(n);
        if (!isWithoutEffect(sql) && !isBeforeSending(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  return {
    execute,
    close: () => {
      for (const server of servers) server.close();
    },
  };
}

function withQuorum(options: StatementOptions, quorum: number): StatementOptions {
  if (quorum === 1) return options;
  // Without its own timeout, the insert would continue after the request has timed out.
  const insert_quorum_timeout = (options.timeoutMs ?? INSERT_TIMEOUT_MS) / 2;
  const settings = { ...options.settings, insert_quorum: quorum, insert_quorum_timeout };
  return { ...options, settings };
}

function isWithoutEffect(sql: string): boolean {
  return /^\s*(?:SELECT|KILL)\b/i.test(sql);
}

/** Whether another replica could succeed: this one did not respond, or has no connection to Keeper. */
function isReplicaFailure(error: unknown): boolean {
  return !(error instanceof ClickHouseException) || REPLICA_FAILURE_CODES.has(error.code);
}

const REPLICA_FAILURE_CODES = new Set([
  0, // not an answer of ClickHouse, but of a proxy in front of it
  225, // NO_ZOOKEEPER
  242, // TABLE_IS_READ_ONLY: the session with Keeper is lost
  999, // KEEPER_EXCEPTION
]);

function isBeforeSending(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof ConnectTimeout || NOT_CONNECTED.has(code ?? '');
}

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
