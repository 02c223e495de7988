// The replicated log of one thread and cell: rows for ClickHouse go to one topic and rows for
// Postgres to another, each through a lane of its own. A request is acknowledged when both have all
// of its rows.

import type { RowWriter } from '../../schema/rows/row-writer.ts';
import type { Table } from '../../schema/rows/table.ts';
import type { EventLog } from '../accept/event-log.ts';
import type { Clock } from '../clock.ts';
import type { CellIntake } from '../http/cell-refusal.ts';
import { LaneLog, type LogLane } from './lane-log.ts';

export type BrokerLogOptions = {
  readonly cell: string;
  /** For rows for ClickHouse and for Postgres. */
  readonly openLane: (of: 'rows' | 'outbox') => LogLane;
  readonly clock: Clock;
  /** A UUIDv7. */
  readonly newId: () => string;
  readonly onCommit: (commit: { rows: number; bytes: number; ms: number }) => void;
};

export class BrokerLog implements EventLog, CellIntake {
  readonly notWritable = 'no broker';
  readonly cell: string;
  private readonly lanes: readonly LogLane[];
  private readonly rows: LaneLog;
  private readonly outbox: LaneLog;
  private isClosed = false;

  constructor(options: BrokerLogOptions) {
    this.cell = options.cell;
    const lanes = [options.openLane('rows'), options.openLane('outbox')];
    const [rows, outbox] = lanes.map(lane => new LaneLog({ ...options, lane }));
    this.lanes = lanes;
    this.rows = rows!;
    this.outbox = outbox!;
  }

  writableLog(): EventLog | undefined {
    if (this.isClosed) return undefined;
    return this.rows.isWritable && this.outbox.isWritable ? this : undefined;
  }

  /** There is always room: the retention of the topics bounds the log. */
  room(): string {
    return 'room';
  }

  stats() {
    return { unsentBytes: this.rows.unsentBytes + this.outbox.unsentBytes };
  }

  append<Item>(
    table: Table,
    partition: number,
    items: readonly Item[],
    encodeRow: (writer: RowWriter, item: Item) => void,
  ): void {
    this.appendRows(table, partition, items.length, (writer, idBytes, firstRow) => {
      let row = firstRow;
      for (const item of items) {
        encodeRow(writer, item);
        writer.uuid(idBytes);
        writer.uint32(row++);
      }
    });
  }

  appendRows(
    table: Table,
    partition: number,
    rows: number,
    encodeRows: (writer: RowWriter, idBytes: Uint8Array, firstRow: number) => void,
  ): void {
    const log = table.destination === 'outbox' ? this.outbox : this.rows;
    log.appendRows(table, partition, rows, encodeRows);
  }

  async commit(): Promise<void> {
    await Promise.all([this.rows.commit(), this.outbox.commit()]);
  }

  tick(): void {
    this.rows.tick();
    this.outbox.tick();
  }

  /** Accepts nothing more. Resolves when every request has been answered. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.rows.idle(), this.outbox.idle()]);
    await Promise.all(this.lanes.map(lane => lane.close()));
  }
}
