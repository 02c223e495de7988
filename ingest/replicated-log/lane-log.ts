// The group commit of one lane: rows are encoded into the next record while the previous one is
// being sent, and their requests are answered when it is acknowledged. After a failure every
// waiting request is refused, instead of waiting for another broker.

import type { RowWriter } from '../../schema/rows/row-writer.ts';
import type { Table } from '../../schema/rows/table.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import { NotDurable } from '../accept/not-durable.ts';
import type { Clock } from '../clock.ts';
import { PENDING_BYTES_MAX, RECORD_BYTES_WORTHWHILE, RECORD_INTERVAL_MS } from '../limits.ts';
import { BufferPool } from '../spool/buffer-pool.ts';
import { FRAME_HEADER_BYTES, ROWS, writeFrameHeader } from '../spool/frame.ts';
import { checksumSeed } from '../spool/segment-header.ts';
import type { Lane } from './lane.ts';
import { encodeRecord } from './record.ts';

/** A producer; see Lane. */
export type LogLane = Pick<Lane, 'isConnected' | 'send' | 'close'>;

export type LaneLogOptions = {
  readonly lane: LogLane;
  readonly clock: Clock;
  /** A UUIDv7. */
  readonly newId: () => string;
  /** Called with an acknowledged record. */
  readonly onCommit: (commit: { rows: number; bytes: number; ms: number }) => void;
};

type Waiter = { resolve(): void; reject(error: unknown): void };

/** The next record. */
type Group = {
  readonly id: string;
  readonly idBytes: Uint8Array;
  readonly seed: number;
  readonly createdAtMs: number;
  readonly writer: RowWriter;
  readonly rowsByTable: Map<Table, number>;
  readonly waiters: Waiter[];
};

export class LaneLog {
  private readonly options: LaneLogOptions;
  /** In the order in which they are sent; rows are appended to the last one. */
  private readonly groups: Group[] = [];
  private readonly buffers = new BufferPool();
  private pendingBytes = 0;
  private flushing: Promise<void> | undefined;
  private lastSentMs = Number.NEGATIVE_INFINITY;
  /** Aborted when the first record is full. */
  private gathering: AbortController | undefined;

  constructor(options: LaneLogOptions) {
    this.options = options;
  }

  /** Whether rows may be appended in this turn of the event loop. */
  get isWritable(): boolean {
    return this.options.lane.isConnected && this.pendingBytes <= PENDING_BYTES_MAX;
  }

  /** Bytes that are neither acknowledged nor refused yet. */
  get unsentBytes(): number {
    return this.pendingBytes;
  }

  appendRows(
    table: Table,
    partition: number,
    rows: number,
    encodeRows: (writer: RowWriter, idBytes: Uint8Array, firstRow: number) => void,
  ): void {
    const group = this.groupWithRoom();
    const { writer, rowsByTable } = group;
    const firstRow = rowsByTable.get(table) ?? 0;
    const start = writer.skip(FRAME_HEADER_BYTES);
    try {
      encodeRows(writer, group.idBytes, firstRow);
    } catch (error) {
      writer.truncate(start);
      throw error;
    }
    const frame = writer.written(start);
    const header = { kind: ROWS, tableId: table.id, partition, rows, firstRow } as const;
    writeFrameHeader(frame, header, group.seed);
    rowsByTable.set(table, firstRow + rows);
    this.pendingBytes += frame.length;
    if (isFull(group)) this.gathering?.abort();
  }

  /** Resolves when the rows appended in this turn of the event loop are acknowledged. */
  async commit(): Promise<void> {
    const group = this.groups.at(-1);
    if (group === undefined) return;
    await new Promise<void>((resolve, reject) => {
      group.waiters.push({ resolve, reject });
      this.flushing ??= this.flushAll();
    });
  }

  /** Called by a timer. */
  tick(): void {
    this.buffers.trim(this.options.clock.monotonicMs());
  }

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    await this.flushing;
  }

  private groupWithRoom(): Group {
    const last = this.groups.at(-1);
    if (last !== undefined && !isFull(last)) return last;
    const id = this.options.newId();
    const group: Group = {
      id,
      idBytes: uuidToRowBinary(id),
      seed: checksumSeed(id),
      createdAtMs: this.options.clock.nowMs(),
      writer: this.buffers.take(),
      rowsByTable: new Map(),
      waiters: [],
    };
    this.groups.push(group);
    return group;
  }

  private async flushAll(): Promise<void> {
    // Lets requests that are read in this turn of the event loop join the first record.
    await new Promise<void>(resolve => setImmediate(resolve));
    while (this.groups.length > 0) {
      await this.gather(this.groups[0]!);
      const group = this.groups.shift()!;
      try {
        await this.flush(group);
        for (const waiter of group.waiters) waiter.resolve();
      } catch (error) {
        this.refuse([group, ...this.groups.splice(0)], error);
      }
    }
    // Runs in the same turn in which the queue was empty; otherwise a group could be left waiting.
    this.flushing = undefined;
  }

  /** Under load, lets more rows join a record than arrived during the previous one. */
  private async gather(group: Group): Promise<void> {
    const { clock } = this.options;
    const waitMs = this.lastSentMs + RECORD_INTERVAL_MS - clock.monotonicMs();
    if (waitMs <= 0 || isFull(group)) return;
    this.gathering = new AbortController();
    await clock.sleep(waitMs, this.gathering.signal);
    this.gathering = undefined;
  }

  private async flush(group: Group): Promise<void> {
    const { id, createdAtMs, writer, rowsByTable } = group;
    const rows = [...rowsByTable.values()].reduce((sum, some) => sum + some, 0);
    const value = encodeRecord({
      id,
      createdAtMs,
      tables: [...rowsByTable.keys()],
      frames: [writer.written()],
      rows,
    });
    const startedMs = this.options.clock.monotonicMs();
    this.lastSentMs = startedMs;
    await this.options.lane.send(value);
    this.release(group);
    const ms = this.options.clock.monotonicMs() - startedMs;
    this.options.onCommit({ rows, bytes: value.length, ms });
  }

  private refuse(groups: readonly Group[], error: unknown): void {
    for (const group of groups) {
      this.release(group);
      for (const waiter of group.waiters) waiter.reject(new NotDurable(error));
    }
  }

  private release({ writer }: Group): void {
    this.pendingBytes -= writer.length;
    this.buffers.giveBack(writer);
  }
}

function isFull({ writer }: Group): boolean {
  return writer.length >= RECORD_BYTES_WORTHWHILE;
}
