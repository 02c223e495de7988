// The append-only log of one thread and cell. Rows are encoded directly into the buffer of the next
// group commit: one write and one fdatasync serve every request that arrived while the previous
// sync was running, and only then are they acknowledged. A segment is sealed by size or age and
// passed to the readers. The next segment's file is created in advance, so that the switch needs no
// I/O. A failed write or sync is final for its file: no further request is acknowledged from it,
// and its durable rows are passed to the readers.

import type { RowWriter } from '../../schema/rows/row-writer.ts';
import type { Table } from '../../schema/rows/table.ts';
import type { EventLog } from '../accept/event-log.ts';
import { NotDurable } from '../accept/not-durable.ts';
import type { Clock } from '../clock.ts';
import { PENDING_BYTES_MAX, SEGMENT_BYTES_MAX } from '../limits.ts';
import { type CommitGroup, CommitGroups } from './commit-groups.ts';
import type { FileSystem } from './file-system.ts';
import { FRAME_HEADER_BYTES, ROWS, sealFrame, writeFrameHeader } from './frame.ts';
import {
  createSegment,
  isDue,
  type OpenSegment,
  type SealedSegment,
  sealedSegment,
  warehouseRows,
} from './segment.ts';

export type SpoolLogOptions = {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly directory: string;
  readonly tables: readonly Table[];
  readonly firstSequence: number;
  newId(): string;
  onSealed(segment: SealedSegment): void;
  /** Called with the bytes of a group commit and the duration of its write and sync. */
  onCommit(bytes: number, ms: number): void;
  /** Called after a failed write, sync or creation of a file. None of its data was acknowledged. */
  onFailure(error: unknown): void;
};

/** Why the log accepts no frames now. */
type AppendRefusal = 'no segment' | 'too much pending';

/** A log may exceed its sealing size by this factor while the next file is being created. */
const OVERSIZE_FACTOR = 1.5;

export class SpoolLog implements EventLog {
  private readonly options: SpoolLogOptions;
  private current: OpenSegment | undefined;
  private next: OpenSegment | undefined;
  private preparing: Promise<void> | undefined;
  private nextSequence: number;
  private readonly groups = new CommitGroups();
  private flushing: Promise<void> | undefined;
  /**
   * Segments that are full but not yet passed to the readers, because a slow disk is still writing
   * their end.
   */
  private readonly sealing = new Set<OpenSegment>();
  private isClosing = false;

  private constructor(options: SpoolLogOptions) {
    this.options = options;
    this.nextSequence = options.firstSequence;
  }

  static async open(options: SpoolLogOptions): Promise<SpoolLog> {
    const log = new SpoolLog(options);
    await log.prepareNext();
    log.changeOver();
    await log.prepareNext();
    return log;
  }

  /** Undefined if a frame may be appended now. */
  refusal(): AppendRefusal | undefined {
    if (this.isDue() && this.next !== undefined) this.rotate();
    const { current } = this;
    if (current === undefined) return 'no segment';
    if (current.appendedBytes > SEGMENT_BYTES_MAX * OVERSIZE_FACTOR) return 'no segment';
    return this.groups.pendingBytes > PENDING_BYTES_MAX ? 'too much pending' : undefined;
  }

  append<Item>(
    table: Table,
    partition: number,
    items: readonly Item[],
    encodeRow: (writer: RowWriter, item: Item) => void,
  ): void {
    this.appendRows(table, partition, items.length, (writer, segmentIdBytes, firstRow) => {
      let row = firstRow;
      for (const item of items) {
        encodeRow(writer, item);
        writer.uuid(segmentIdBytes);
        writer.uint32(row++);
      }
    });
  }

  /**
   * Appends a frame of `rows` rows. Precondition: `refusal()` returned undefined in this turn of
   * the event loop. Every row ends with the segment's ID and its number among the segment's rows of
   * the table, counted from `firstRow`. The inserter finds the rows in ClickHouse by these columns.
   */
  appendRows(
    table: Table,
    partition: number,
    rows: number,
    encodeRows: (writer: RowWriter, segmentIdBytes: Uint8Array, firstRow: number) => void,
  ): void {
    const segment = this.current;
    if (segment === undefined) throw new Error('The spool log has no open segment.');
    const writer = this.groups.writerFor(segment);
    const start = writer.skip(FRAME_HEADER_BYTES);
    const firstRow = segment.rowsByTable.get(table.id) ?? 0;
    try {
      encodeRows(writer, segment.idBytes, firstRow);
    } catch (error) {
      writer.truncate(start);
      throw error;
    }
    const frame = writer.written(start);
    const header = { kind: ROWS, tableId: table.id, partition, rows, firstRow } as const;
    writeFrameHeader(frame, header, segment.seed);
    this.count(segment, table, rows, frame.length);
  }

  commit(): Promise<void> {
    const group = this.groups.last();
    if (group === undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      group.waiters.push({ resolve, reject });
      this.startFlushing();
    });
  }

  /**
   * Seals the current segment if it is old enough, and retries failed file creations. Called by a
   * timer.
   */
  tick(): void {
    if (this.isClosing) return;
    this.groups.trim(this.options.clock.monotonicMs());
    if (this.next === undefined) void this.prepareNext();
    else if (this.current === undefined) this.changeOver();
    else if (this.isDue()) this.rotate();
  }

  /** The age of the oldest row that is not in a sealed segment yet. */
  oldestRowAgeMs(): number {
    const [oldest = this.current] = this.sealing;
    return this.ageMs(oldest);
  }

  /** Seals the current segment and removes empty files. */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.preparing;
    const { current, next } = this;
    this.current = undefined;
    this.next = undefined;
    if (current !== undefined && current.rows > 0) this.seal(current);
    await this.flushing;
    for (const segment of [current, next]) {
      if (segment === undefined || segment.rows > 0) continue;
      await segment.file.close();
      await this.options.fs.unlink(segment.path);
    }
    await this.options.fs.syncDirectory(this.options.directory);
  }

  private count(segment: OpenSegment, table: Table, rows: number, bytes: number): void {
    segment.rowsByTable.set(table.id, (segment.rowsByTable.get(table.id) ?? 0) + rows);
    segment.rows += rows;
    segment.appendedBytes += bytes;
    this.groups.pendingBytes += bytes;
    if (segment.firstFrameAtMs !== undefined) return;
    segment.firstFrameAtMs = this.options.clock.monotonicMs();
    segment.createdAtMs = this.options.clock.nowMs();
  }

  private ageMs(segment: OpenSegment | undefined): number {
    const since = segment?.firstFrameAtMs;
    return since === undefined ? 0 : this.options.clock.monotonicMs() - since;
  }

  private isDue(): boolean {
    const { current } = this;
    if (current === undefined || current.rows === 0) return false;
    return isDue(current, this.ageMs(current));
  }

  private rotate(): void {
    const { current } = this;
    if (current !== undefined) this.seal(current);
    this.changeOver();
  }

  private seal(segment: OpenSegment): void {
    this.sealing.add(segment);
    const seal = sealFrame(segment.seed, warehouseRows(segment, this.options.tables));
    this.groups.writerFor(segment).raw(seal);
    this.groups.last()!.seals = true;
    segment.appendedBytes += seal.length;
    this.groups.pendingBytes += seal.length;
    this.startFlushing();
  }

  private changeOver(): void {
    this.current = this.next;
    this.next = undefined;
    void this.prepareNext();
  }

  private prepareNext(): Promise<void> {
    this.preparing ??= this.createNext().finally(() => {
      this.preparing = undefined;
    });
    return this.preparing;
  }

  /** Never rejects: without a next segment the log rejects frames, and the timer retries. */
  private async createNext(): Promise<void> {
    if (this.next !== undefined || this.isClosing) return;
    const { fs, directory, tables, clock } = this.options;
    const sequence = this.nextSequence++;
    const id = this.options.newId();
    try {
      this.next = await createSegment(fs, directory, sequence, id, tables, clock.nowMs());
    } catch (error) {
      this.options.onFailure(error);
    }
  }

  private startFlushing(): void {
    this.flushing ??= this.flushAll();
  }

  private async flushAll(): Promise<void> {
    // Lets requests that are read in this turn of the event loop join the first group.
    await new Promise<void>(resolve => setImmediate(resolve));
    for (let group = this.groups.shift(); group !== undefined; group = this.groups.shift()) {
      await this.flush(group);
      this.groups.release(group);
    }
    // Runs in the same turn in which the queue was empty; otherwise a group could be left waiting.
    this.flushing = undefined;
  }

  private async flush(group: CommitGroup): Promise<void> {
    const { segment, pieces, waiters } = group;
    const startedMs = this.options.clock.monotonicMs();
    try {
      if (segment.hasFailed) throw new Error('An earlier write or sync of this segment failed.');
      let end = segment.durableBytes;
      for (const piece of pieces) {
        await segment.file.write(piece.written(), end);
        end += piece.length;
      }
      await segment.file.datasync();
      const bytes = end - segment.durableBytes;
      segment.durableBytes = end;
      this.options.onCommit(bytes, this.options.clock.monotonicMs() - startedMs);
    } catch (error) {
      await this.abandon(segment, error);
      for (const waiter of waiters) waiter.reject(new NotDurable(error));
      return;
    }
    for (const waiter of waiters) waiter.resolve();
    if (group.seals) await this.finish(segment, true);
  }

  private async abandon(segment: OpenSegment, error: unknown): Promise<void> {
    if (segment.hasFailed) return;
    segment.hasFailed = true;
    this.options.onFailure(error);
    if (this.current === segment) {
      this.current = undefined;
      if (this.next !== undefined && !this.isClosing) this.changeOver();
    }
    try {
      // So that a restart finds the same rows, and so the same blocks, as the readers do now.
      await segment.file.truncate(segment.durableBytes);
      await segment.file.datasync();
    } catch (truncateError) {
      this.options.onFailure(truncateError);
    }
    await this.finish(segment, false);
  }

  private async finish(segment: OpenSegment, isWhole: boolean): Promise<void> {
    try {
      await segment.file.close();
    } catch (error) {
      if (isWhole) this.options.onFailure(error);
    }
    this.sealing.delete(segment);
    this.options.onSealed(sealedSegment(segment, this.options.tables, isWhole));
  }
}
