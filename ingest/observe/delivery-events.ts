// The metrics, logs and spans of the delivery of a cell's rows, the same for the spool and for the
// replicated log.

import type { Logger } from 'pino';
import { telemetry } from '../../schema/telemetry/telemetry.ts';
import type { Block } from '../insert/block.ts';
import { ClickHouseException } from '../insert/clickhouse.ts';
import { quarantineRow } from '../insert/park-row.ts';
import { isRefusalOfData } from '../insert/refusal.ts';
import type { OutboxDeps } from '../outbox/outbox.ts';
import type { FileSystem } from '../spool/file-system.ts';
import type { Metrics } from './metrics.ts';

type Deps = { readonly cell: string; readonly metrics: Metrics; readonly log: Logger };

type QuarantineDeps = Deps & {
  readonly fs: FileSystem;
  /** The quarantine is a folder in it. */
  readonly directory: string;
};

/**
 * The events of inserts into ClickHouse. A row that neither its table nor rejected_events accepts
 * goes to the quarantine.
 */
export function inserterEvents({ fs, directory, metrics, log, cell }: QuarantineDeps) {
  return {
    quarantine: async (block: Block) => {
      const path = await quarantineRow(fs, directory, block);
      log.error(
        { cell, table: block.table.name, path },
        'row rejected by both its table and rejected_events: moved to quarantine',
      );
    },
    onParked: (block: Block) => {
      metrics.rowsParked.inc({ table: block.table.name });
      log.warn(
        { cell, table: block.table.name },
        'row rejected by ClickHouse: stored in rejected_events',
      );
    },
    onInserted: (block: Block, ms: number) => {
      metrics.insertSeconds.observe({ table: block.table.name }, ms / 1000);
      metrics.insertRows.inc({ table: block.table.name }, block.rows);
      telemetry()?.record({
        name: `insert ${block.table.name}`,
        kind: 'client',
        startedAtMs: performance.now() - ms,
        attributes: { 'db.system.name': 'clickhouse', cell, rows: block.rows },
      });
    },
    onPresent: (block: Block) => metrics.insertPresent.inc({ table: block.table.name }),
    onFailure: (block: Block, error: unknown) => {
      const kind = failureKind(error);
      metrics.insertFailures.inc({ table: block.table.name, kind });
      log.warn(
        { cell, table: block.table.name, kind, error: String(error) },
        'insert into ClickHouse failed',
      );
    },
  };
}

function failureKind(error: unknown): 'data refused' | 'exception' | 'no answer' {
  if (isRefusalOfData(error)) return 'data refused';
  return error instanceof ClickHouseException ? 'exception' : 'no answer';
}

/** The events of writes to Postgres. */
export function outboxEvents({ metrics, log, cell }: Deps): Omit<OutboxDeps, 'client'> {
  return {
    onWritten: (table, rows) => metrics.outboxRows.inc({ table }, rows),
    onRefused: (table, row, error) => {
      metrics.outboxRefused.inc({ table });
      const { batch_id, batch_row } = row;
      log.error(
        { cell, table, batch_id, batch_row, error: error.message },
        'row rejected by Postgres and not written; its source event is in the warehouse',
      );
    },
  };
}
