// ClickHouse as seen by the inserter, with the faults that it must survive. ClickHouse commits and
// then drops the connection, drops it before the commit, returns errors, continues a query whose
// client is gone, receives a request that was delayed in the network, or forgets its deduplication
// window. It also restarts, and then loses queries, connections and, after a power failure, parts
// that it had confirmed.

import {
  type ClickHouse,
  ClickHouseException,
  type StatementBody,
  type StatementOptions,
} from '../../ingest/insert/clickhouse.ts';
import { readRow, splitRows } from '../../ingest/spool/split-rows.ts';
import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import { eventPartition } from '../../schema/rows/events-raw.ts';
import { Availability, type WayToBeAway } from './availability.ts';
import { CLICKHOUSE_ERRORS, pickError } from './port-errors.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type Row = Record<string, string | number>;

export type WarehouseProtections = { readonly token: boolean; readonly probe: boolean };

const TABLES = new Map(
  ALL_TABLES.filter(table => table.destination === 'warehouse').map(table => [table.name, table]),
);
const MEMORY_LIMIT_EXCEEDED = 241;
const VIOLATED_CONSTRAINT = 469;
const CANNOT_OPEN_FILE = 76;
const LATE_MS = 3_000;
const QUESTION_MS = 15_000;
/** The kernel has written parts older than this to disk. */
const UNSYNCED_MS = 10_000;
/** The duration of a restart. The inserter distinguishes restarts only by whole seconds. */
const RESTART_SECONDS = 5;
const UPTIME_AT_FIRST_SECONDS = 86_400;

type Part = {
  readonly table: string;
  readonly token: string;
  readonly rows: readonly Row[];
  readonly atMs: number;
};

export class SimulatedWarehouse {
  /** The rows of every committed insert, including repeats. */
  readonly rows = new Map<string, Row[]>([...TABLES.keys()].map(name => [name, []]));
  /** The probability that an insert fails. */
  faultRate = 0;
  /** Events with this name are rejected, as by a CHECK constraint. */
  poison: string | undefined;
  /** Forgets tokens immediately, as if each retry came after the deduplication window. */
  forgetsTokens = false;
  /** Logs a token and then fails to commit the part, as ClickHouse may do. */
  logsTokensEarly = false;
  /** The maximum duration of an insert. */
  slowestInsertMs = 0;
  /** The number of inserts with rows of several segments. */
  groupInserts = 0;
  readonly availability: Availability;
  /** The number of statements so far, except checks for a restart. */
  asked = 0;
  private readonly tokens = new Set<string>();
  private readonly parts: Part[] = [];
  private startedSeconds: number;
  private starts = 0;
  private readonly running = new Map<string, string>();
  private readonly random: () => number;
  private readonly clock: VirtualClock;
  private readonly protections: WarehouseProtections;

  constructor(
    random: () => number,
    clock: VirtualClock,
    protections: WarehouseProtections = { token: true, probe: true },
  ) {
    this.random = random;
    this.clock = clock;
    this.protections = protections;
    this.availability = new Availability(clock);
    this.startedSeconds = Math.floor(clock.nowMs() / 1000) - UPTIME_AT_FIRST_SECONDS;
  }

  async execute(sql: string, options: StatementOptions = {}): Promise<string> {
    await turn();
    if (!sql.startsWith('SELECT hostName()')) this.asked++;
    const { away } = this.availability;
    if (away !== undefined) await this.beAway(away, sql, options);
    this.availability.doneSinceBack++;
    return this.answer(sql, options);
  }

  leave(way: WayToBeAway): void {
    this.availability.leave(way);
  }

  private async answer(sql: string, options: StatementOptions): Promise<string> {
    if (sql.startsWith('INSERT')) return this.insert(sql, options);
    if (sql.includes('system.processes')) return this.countRunning(sql);
    if (sql.startsWith('SELECT count()')) return this.countPresent(sql);
    if (sql.startsWith('SELECT DISTINCT batch_id')) return this.listPresent(sql);
    if (sql.startsWith('KILL QUERY')) return '';
    if (sql.startsWith('SELECT hostName()')) return `simulated\t${this.startedSeconds}\n`;
    throw new Error(`The simulated warehouse does not support: ${sql}`);
  }

  /** Resolves if the warehouse becomes available before the client gives up. */
  private async beAway(way: WayToBeAway, sql: string, options: StatementOptions): Promise<void> {
    const { availability } = this;
    const isInsert = sql.startsWith('INSERT');
    if (isInsert || sql.startsWith('SELECT count()')) availability.triedWhileAway++;
    if (way !== 'hangs') throw pickError(CLICKHOUSE_ERRORS, this.random());
    const body = isInsert ? await received(options.body) : undefined;
    if (await availability.isBackWithin(options.timeoutMs ?? QUESTION_MS)) return;
    // The request had arrived completely, so the server executes it later.
    if (body !== undefined && this.random() < 0.5) {
      const { starts } = this;
      availability.whenBack(() => {
        if (this.starts === starts) tryTo(() => this.commit(tableOf(sql), body, options));
      });
    }
    throw CLICKHOUSE_ERRORS['no answer in time']!();
  }

  /**
   * A restart loses queries and connections, and possibly unsynced data: a part, with or without
   * its token. The tokens of all other parts are on disk, as in ClickHouse.
   */
  restart({ losesParts }: { readonly losesParts: boolean }): void {
    this.starts++;
    const nowSeconds = Math.floor(this.clock.nowMs() / 1000);
    this.startedSeconds = Math.max(nowSeconds, this.startedSeconds + RESTART_SECONDS);
    this.running.clear();
    if (!losesParts) return;
    const unsyncedSinceMs = this.clock.nowMs() - UNSYNCED_MS;
    for (const part of this.parts) {
      if (part.atMs < unsyncedSinceMs || this.random() < 0.5) continue;
      if (this.random() < 0.5) this.tokens.delete(part.token);
      const lost = new Set(part.rows);
      const rows = this.rows.get(part.table)!;
      this.rows.set(
        part.table,
        rows.filter(row => !lost.has(row)),
      );
    }
  }

  /** The connection of a process. When the process dies, requests already sent still arrive. */
  connect(): ClickHouse & { die(): void } {
    let isDead = false;
    const silence = () => new Promise<never>(() => undefined);
    return {
      execute: async (sql, options) => {
        if (isDead) return silence();
        try {
          return await this.execute(sql, options);
        } finally {
          if (isDead) await silence();
        }
      },
      close: () => undefined,
      die: () => {
        isDead = true;
      },
    };
  }

  /** The number of parts that inserts into this table have made. */
  countParts(table: string): number {
    return this.parts.filter(part => part.table === table).length;
  }

  private async insert(sql: string, options: StatementOptions): Promise<string> {
    const name = tableOf(sql);
    // A sent request does not share memory with its sender.
    const body = await received(options.body);
    const commit = () => this.commit(name, body, options);
    await this.takeTime(name, options);
    if (this.random() >= this.faultRate) return commit();
    // Only the token protects against a late copy, so the two faults are not combined.
    const fault = Math.floor(this.random() * (this.forgetsTokens ? 4 : 5));
    if (fault === 0) throw pickError(CLICKHOUSE_ERRORS, this.random());
    if (fault === 1) throw new ClickHouseException(MEMORY_LIMIT_EXCEEDED, 'memory limit exceeded');
    if (this.logsTokensEarly && fault === 2) {
      this.logToken(name, options);
      throw new ClickHouseException(CANNOT_OPEN_FILE, 'the part could not be committed');
    }
    if (fault === 2) {
      commit();
      throw new Error('ECONNRESET after the commit');
    }
    const queryId = options.queryId ?? '';
    if (fault === 3) {
      this.running.set(queryId, name);
      this.later(() => {
        this.running.delete(queryId);
        tryTo(commit);
      });
      throw new Error('timeout; the query runs on');
    }
    this.later(() => tryTo(commit));
    throw new Error('timeout; the request is still in the network');
  }

  private async takeTime(name: string, { queryId = '' }: StatementOptions): Promise<void> {
    if (this.slowestInsertMs === 0) return;
    const { starts } = this;
    this.running.set(queryId, name);
    await this.clock.sleep(this.random() * this.slowestInsertMs);
    if (this.starts !== starts) throw new Error('ECONNRESET by a restart');
    this.running.delete(queryId);
  }

  /** Runs the work later, unless the server restarts first. */
  private later(work: () => void): void {
    const { starts } = this;
    void this.clock.sleep(LATE_MS).then(() => {
      if (this.starts === starts) work();
    });
  }

  private commit(name: string, body: Buffer, options: StatementOptions): string {
    const { columns } = TABLES.get(name)!;
    const token = String(options.settings?.insert_deduplication_token);
    const rows = splitRows([body], columns).map(row => readRow(row, columns));
    if (this.poison !== undefined && rows.some(row => row.event === this.poison))
      throw new ClickHouseException(VIOLATED_CONSTRAINT, 'Constraint `no_poison` is violated');
    if (this.protections.token && this.tokens.has(`${name}/${token}`)) return '';
    this.logToken(name, options);
    if (new Set(rows.map(row => row.batch_id)).size > 1) this.groupInserts++;
    this.rows.get(name)!.push(...rows);
    this.parts.push({ table: name, token: `${name}/${token}`, rows, atMs: this.clock.nowMs() });
    return '';
  }

  private logToken(name: string, options: StatementOptions): void {
    if (this.forgetsTokens) return;
    this.tokens.add(`${name}/${String(options.settings?.insert_deduplication_token)}`);
  }

  private countRunning(sql: string): string {
    const prefix = /startsWith\(query_id, '([^']+)'\)/.exec(sql)![1]!;
    return String([...this.running.keys()].filter(id => id.startsWith(prefix)).length);
  }

  private countPresent(sql: string): string {
    if (!this.protections.probe) return '0';
    const name = /FROM (\w+) /.exec(sql)![1]!;
    const partition = / = (\d+) FORMAT TSV$/.exec(sql)?.[1];
    const isAskedFor = askedFor(sql);
    const found = this.rows.get(name)!.filter(row => {
      const isSamePartition = partition === undefined || partitionOf(row) === Number(partition);
      return isSamePartition && isAskedFor(String(row.batch_id), Number(row.batch_row));
    });
    return String(found.length);
  }

  private listPresent(sql: string): string {
    if (!this.protections.probe) return '';
    const name = /FROM (\w+) /.exec(sql)![1]!;
    const ids = idsIn(sql);
    const partition = / = (\d+) FORMAT TSV$/.exec(sql)?.[1];
    const present = this.rows
      .get(name)!
      .filter(row => partition === undefined || partitionOf(row) === Number(partition))
      .map(row => String(row.batch_id));
    return [...new Set(present)].filter(id => ids.has(id)).join('\n');
  }
}

function partitionOf({ timestamp, received_at }: Record<string, unknown>): number {
  return eventPartition(Date.parse(String(timestamp)), Date.parse(String(received_at)));
}

/**
 * The queried rows: a range of one segment, or all rows of several except the ends of the first and
 * last.
 */
function askedFor(sql: string): (id: string, row: number) => boolean {
  const one = /batch_id = toUUID\('([^']+)'\) AND batch_row BETWEEN (\d+) AND (\d+)/.exec(sql);
  if (one !== null) {
    const [, only, first, last] = one;
    return (id, row) => id === only && row >= Number(first) && row <= Number(last);
  }
  const ids = idsIn(sql);
  const [, early, first] = /NOT \(batch_id = toUUID\('([^']+)'\) AND batch_row < (\d+)\)/.exec(
    sql,
  )!;
  const [, late, last] = /NOT \(batch_id = toUUID\('([^']+)'\) AND batch_row > (\d+)\)/.exec(sql)!;
  return (id, row) =>
    ids.has(id) && !(id === early && row < Number(first)) && !(id === late && row > Number(last));
}

function idsIn(sql: string): ReadonlySet<string> {
  return new Set(
    /batch_id IN \(([^)]+)\)/
      .exec(sql)![1]!
      .split(',')
      .map(id => id.slice(1, -1)),
  );
}

function tableOf(insert: string): string {
  return /^INSERT INTO (\w+) /.exec(insert)![1]!;
}

/** A server knows the length of a body, so an incomplete request has no effect. */
async function received(body: StatementBody | undefined): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body?.pieces() ?? []) pieces.push(Buffer.from(piece));
  const whole = Buffer.concat(pieces);
  if (whole.length !== (body?.bytes ?? 0))
    throw new Error('The body does not have the given length.');
  return whole;
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** The client is gone, so an error has no recipient. */
function tryTo(commit: () => void): void {
  try {
    commit();
  } catch (error) {
    if (!(error instanceof ClickHouseException)) throw error;
  }
}
