// The reads and writes of requests, grouped over all threads: while one transaction runs, the items of
// every thread wait for the next one of their kind.

import type { Counter, Histogram } from 'prom-client';
import { readPersonTexts } from '../schema/campaign/read-person.ts';
import { ackWidgets } from './accept/ack-widget.ts';
import { changeDevices } from './accept/change-devices.ts';
import { storeEvents } from './gateway/store-events.ts';
import type { GroupedKind, ItemOf, ResultOf } from './item-messages.ts';
import { GroupedStatement } from './postgres/grouped-statement.ts';
import type { PostgresLink } from './postgres/postgres-link.ts';
import { REQUEST_TIMEOUT_MS, type SharedLinks } from './postgres/shared-links.ts';
import type { PostgresClient, Statement } from './postgres/statement.ts';

export type RequestGroups = {
  readonly [K in GroupedKind]: GroupedStatement<ItemOf<K>, ResultOf<K>>;
};

export type RequestGroupMetrics = {
  readonly postgresItems: Counter<'statement'>;
  readonly postgresStatements: Counter<'statement'>;
  readonly postgresSeconds: Histogram<'statement'>;
};

type Group<K extends GroupedKind> = {
  readonly run: (
    client: PostgresClient,
    items: readonly ItemOf<K>[],
  ) => Promise<readonly ResultOf<K>[]>;
  /** A transaction of this size takes about 20 ms, or a few for reads; larger ones gain little. */
  readonly groupMax: number;
  /** Per node, at most about a second of work. Beyond that, clients are better off retrying. */
  readonly waitingMax: number;
};

export function createRequestGroups(
  { questions, changes }: Pick<SharedLinks, 'questions' | 'changes'>,
  metrics: RequestGroupMetrics,
): RequestGroups {
  const grouped = <K extends GroupedKind>(kind: K, link: PostgresLink, group: Group<K>) =>
    new GroupedStatement<ItemOf<K>, ResultOf<K>>({
      client: () => link.client,
      run: async (client, items) => {
        const results = await group.run(counting(kind, client, metrics), items);
        metrics.postgresItems.inc({ statement: kind }, items.length);
        return results;
      },
      groupMax: group.groupMax,
      waitingMax: group.waitingMax,
      waitMaxMs: REQUEST_TIMEOUT_MS,
      onCommitted: seconds => metrics.postgresSeconds.observe({ statement: kind }, seconds),
    });
  return {
    devices: grouped('devices', changes, {
      run: async (client, items) => {
        await changeDevices(client, items);
        return items.map(() => undefined);
      },
      groupMax: 500,
      waitingMax: 10_000,
    }),
    'widget acks': grouped('widget acks', changes, {
      run: ackWidgets,
      groupMax: 200,
      waitingMax: 4_000,
    }),
    'gateway events': grouped('gateway events', changes, {
      run: storeEvents,
      groupMax: 200,
      waitingMax: 3_000,
    }),
    'read-persons': grouped('read-persons', questions, {
      run: readPersonTexts,
      groupMax: 64,
      waitingMax: 2_000,
    }),
  };
}

function counting(
  kind: GroupedKind,
  client: PostgresClient,
  { postgresStatements }: RequestGroupMetrics,
): PostgresClient {
  return {
    async query<Row extends Record<string, unknown>>(statement: Statement) {
      const rows = await client.query<Row>(statement);
      postgresStatements.inc({ statement: kind });
      return rows;
    },
  };
}
