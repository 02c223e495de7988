// A random history of a warehouse in simulated time. Events of many workspaces are sent, repeated
// and inserted, on time, late, or with a clock that is days ahead, while runs settle them and are
// cut off at any statement. The expected content of the view is tracked alongside.

import { connectClickHouse } from '../../../ingest/insert/clickhouse.ts';
import { type SettleDeps, settleEvents } from '../../../ingest/settle/settle-events.ts';
import { eventPartition } from '../../../schema/rows/events-raw.ts';
import type { OwnClickHouse } from '../../harness/own-clickhouse.ts';
import type { Random } from '../../harness/random.ts';
import { uuid } from './uuid.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NAMES = ['Order Completed', 'Page', ''];
/** The nodes that settle: one at a time, except when their runs overlap. */
const NODES = 2;

type Sent = {
  readonly workspaceId: string;
  readonly messageId: string;
  readonly event: string;
  readonly timestampMs: number;
};

type Arrival = Sent & { readonly receivedAtMs: number; readonly copy: number };

export type Violation = { readonly key: string; readonly shown: number };

export class World {
  private readonly clickhouse: OwnClickHouse;
  private readonly random: Random;
  private readonly workspaces: readonly string[];
  private readonly sent = new Map<string, Sent[]>();
  /** Events that were received and not inserted yet, like those in the spool. */
  private waiting: Arrival[] = [];
  private readonly shown = new Map<string, Set<number>>();
  private readonly nodes = Array.from({ length: NODES }, (_, n) => uuid(0xffff, n));
  private copies = 0;
  /** Starts 30 days ago, so that the simulated time never passes the real one. */
  nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 30 * DAY_MS;

  constructor(clickhouse: OwnClickHouse, random: Random, workspaces: number) {
    this.clickhouse = clickhouse;
    this.random = random;
    this.workspaces = Array.from({ length: workspaces }, (_, n) => uuid(random.below(2 ** 30), n));
  }

  async empty(): Promise<void> {
    for (const table of ['events_raw', 'events_late', 'events_settling'])
      await this.clickhouse.command(`TRUNCATE TABLE ${table}`);
  }

  /** Advances the time, receives events, and inserts some of those received. */
  async advance(): Promise<void> {
    const { random } = this;
    this.nowMs += random.below(8 * HOUR_MS);
    for (const workspaceId of this.workspaces) {
      if (random.below(3) === 0) continue;
      this.waiting.push(
        this.arrival(random.below(3) === 0 ? this.repeated(workspaceId) : undefined, workspaceId),
      );
    }
    // Ingest may hold events for days while ClickHouse is unavailable.
    if (random.below(8) === 0) return;
    const keeps = random.below(4) === 0 ? random.below(3) : 0;
    const inserted = this.waiting.filter(() => keeps === 0 || random.below(3) > 0);
    this.waiting = this.waiting.filter(arrival => !inserted.includes(arrival));
    await this.insert(inserted);
  }

  private arrival(known: Sent | undefined, workspaceId: string): Arrival {
    const sent = known ?? this.newEvent(workspaceId);
    return { ...sent, receivedAtMs: this.nowMs, copy: ++this.copies };
  }

  private repeated(workspaceId: string): Sent | undefined {
    const own = this.sent.get(workspaceId);
    return own?.[this.random.below(own.length)];
  }

  private newEvent(workspaceId: string): Sent {
    const { random, nowMs } = this;
    const kind = random.below(10);
    const offsetMs =
      kind < 6
        ? -random.below(20 * HOUR_MS)
        : kind < 9
          ? -random.below(15 * DAY_MS)
          : random.below(5 * DAY_MS);
    const sent = {
      workspaceId,
      messageId: `message-${random.below(1e9)}`,
      event: NAMES[random.below(NAMES.length)]!,
      timestampMs: nowMs + offsetMs,
    };
    this.sent.set(workspaceId, [...(this.sent.get(workspaceId) ?? []), sent]);
    return sent;
  }

  /** Inserts like ingest does: one statement per partition of the frames. */
  private async insert(arrivals: readonly Arrival[]): Promise<void> {
    const byPartition = Map.groupBy(arrivals, ({ timestampMs, receivedAtMs }) =>
      eventPartition(timestampMs, receivedAtMs),
    );
    for (const group of byPartition.values()) {
      await this.clickhouse.command(insertStatement(group, this.nowMs));
      for (const arrival of group) {
        const copies = this.shown.get(keyOf(arrival)) ?? new Set();
        this.shown.set(keyOf(arrival), copies.add(arrival.copy));
      }
    }
  }

  /**
   * Settles once. The run may be cut off before or after any statement, or overlap with another
   * one.
   */
  async settle(): Promise<'complete' | 'cut off'> {
    const { random } = this;
    const isCutOff = random.below(2) === 0;
    const isOvertaken = random.below(5) === 0;
    const at = random.below(5);
    let statements = 0;
    const clickhouse = connectClickHouse(this.clickhouse.url);
    const execute: typeof clickhouse.execute = async (sql, options) => {
      const isHere = options?.queryId !== undefined && statements++ === at;
      if (isHere && isCutOff && random.below(2) === 0) throw new CutOff();
      if (isHere && isOvertaken) await settleEvents(this.deps(1, clickhouse));
      const answer = await clickhouse.execute(sql, options);
      if (isHere && isCutOff) throw new CutOff();
      return answer;
    };
    try {
      for (let runs = 0; runs < RUNS_MAX; runs++) {
        const { hasMore } = await settleEvents(this.deps(0, { execute }));
        if (!hasMore) break;
      }
      return 'complete';
    } catch (error) {
      if (error instanceof CutOff) return 'cut off';
      throw error;
    } finally {
      clickhouse.close();
    }
  }

  private deps(node: number, clickhouse: SettleDeps['clickhouse']): SettleDeps {
    return {
      clickhouse,
      node: this.nodes[node]!,
      sleep: () => Promise.resolve(),
      now: `toDateTime64(${this.nowMs / 1000}, 3, 'UTC')`,
      lagMs: 0,
      rowsMin: 1 + this.random.below(4),
      waitMaxMs: 12 * HOUR_MS,
    };
  }

  /**
   * Returns events that the view does not show exactly once, or shows with content that was never
   * sent.
   */
  async violations(): Promise<Violation[]> {
    const rows = await this.clickhouse.rows<{ key: string; shown: string; copies: number[] }>(
      `SELECT concat(toString(workspace_id), '/', toString(toDate(timestamp)), '/', event, '/', message_id) AS key,
              count() AS shown, groupArray(toUInt32(properties)) AS copies
       FROM events GROUP BY key`,
    );
    const found = new Map(rows.map(row => [row.key, row]));
    const violations: Violation[] = [];
    for (const [key, copies] of this.shown) {
      const row = found.get(key);
      const isRight = row !== undefined && Number(row.shown) === 1 && copies.has(row.copies[0]!);
      if (!isRight) violations.push({ key, shown: Number(row?.shown ?? 0) });
    }
    for (const { key, shown } of rows)
      if (!this.shown.has(key)) violations.push({ key, shown: Number(shown) });
    return violations;
  }
}

/** More runs than any backlog of unsettled days needs. */
const RUNS_MAX = 100;

class CutOff extends Error {}

function keyOf({ workspaceId, timestampMs, event, messageId }: Sent): string {
  const day = new Date(timestampMs).toISOString().slice(0, 10);
  return `${workspaceId}/${day}/${event}/${messageId}`;
}

function insertStatement(arrivals: readonly Arrival[], insertedAtMs: number): string {
  const values = arrivals.map(
    ({ workspaceId, event, messageId, timestampMs, receivedAtMs, copy }) =>
      `('${workspaceId}', '${event}', '${messageId}', ${seconds(timestampMs)}, ${seconds(receivedAtMs)}, ${seconds(insertedAtMs)}, '${copy}')`,
  );
  return `INSERT INTO events_raw (workspace_id, event, message_id, timestamp, received_at, inserted_at, properties) VALUES ${values.join()}`;
}

/** Keeps the decimal point: ClickHouse reads a number without one as milliseconds. */
function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
