// Postgres as seen by the outbox, below ingest's connection handling: failing connections,
// statements that commit before their connection is lost, outages of hours of each kind, and the
// effect of `ON CONFLICT DO NOTHING` on a repeat.

import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { pino } from 'pino';
import { PostgresLink } from '../../ingest/postgres/postgres-link.ts';
import { Availability } from './availability.ts';
import { POSTGRES_CONNECT_ERRORS, POSTGRES_STATEMENT_ERRORS, pickError } from './port-errors.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Statement = {
  readonly text: string;
  readonly values: readonly (readonly unknown[])[];
  readonly query_timeout: number;
};

/** The statements since the last BEGIN. */
type Transaction = { readonly statements: Statement[]; isFailed: boolean };

export type Exposure = { readonly userId: unknown; readonly campaignId: unknown };

export type SimulatedLink = Pick<PostgresLink, 'client'> & { die(): void };

const STATEMENT_TIMEOUT_MS = 30_000;

export class SimulatedPostgres {
  readonly exposures = new Map<string, Exposure>();
  /** A row with this ID was sent again with different values. */
  readonly contradictions: string[] = [];
  /** The traits of each applied update, by user ID. */
  readonly contacts = new Map<string, Set<string>>();
  readonly availability: Availability;
  /** The probability that a statement fails. */
  faultRate = 0;
  readonly random: () => number;
  private readonly clock: VirtualClock;
  private readonly clients = new Set<SimulatedClient>();

  constructor(random: () => number, clock: VirtualClock) {
    this.random = random;
    this.clock = clock;
    this.availability = new Availability(clock);
  }

  /**
   * The connection of a process. When the process dies, statements already sent are still executed.
   */
  connect(): SimulatedLink {
    const process = { isDead: false };
    const { availability } = this;
    const link = new PostgresLink({
      databaseUrl: 'postgres://simulated',
      name: 'simulated',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      log: pino({ level: 'silent' }),
      random: this.random,
      clock: this.clock,
      newClient: config => {
        const client = new SimulatedClient(this, config, process);
        this.clients.add(client);
        return client as unknown as pg.Client;
      },
    });
    return {
      get client() {
        // The client is only read when there is something to write.
        if (availability.away !== undefined) availability.triedWhileAway++;
        return link.client;
      },
      die: () => {
        process.isDead = true;
        void link.stop();
      },
    };
  }

  leave(way: NonNullable<Availability['away']>): void {
    this.availability.leave(way);
    if (way === 'refuses') for (const client of this.clients) client.cut();
  }

  forget(client: SimulatedClient): void {
    this.clients.delete(client);
  }

  commit({ statements }: Transaction): void {
    this.availability.doneSinceBack++;
    for (const { text, values } of statements) this.run(text, values);
  }

  private run(text: string, values: Statement['values']): void {
    if (/INSERT INTO exposures\b/.test(text)) this.writeExposures(values);
    else if (/UPDATE contacts\b/.test(text)) this.updateContacts(values);
    else if (!/INSERT INTO contacts\b/.test(text))
      throw new Error(`The simulated Postgres does not support: ${text}`);
  }

  private writeExposures([ids = [], , userIds = [], campaignIds = []]: Statement['values']): void {
    for (const [i, id] of ids.entries()) {
      const exposure = { userId: userIds[i], campaignId: campaignIds[i] };
      const known = this.exposures.get(String(id));
      if (known === undefined) this.exposures.set(String(id), exposure);
      else if (known.userId !== exposure.userId || known.campaignId !== exposure.campaignId)
        this.contradictions.push(String(id));
    }
  }

  private updateContacts([, userIds = [], , traits = []]: Statement['values']): void {
    for (const [i, userId] of userIds.entries()) {
      const applied = this.contacts.get(String(userId)) ?? new Set();
      this.contacts.set(String(userId), applied.add(String(traits[i])));
    }
  }
}

/** The part of the driver's client that ingest's connection uses. */
class SimulatedClient extends EventEmitter {
  private readonly postgres: SimulatedPostgres;
  private readonly config: pg.ClientConfig;
  private readonly process: { readonly isDead: boolean };
  private isCut = false;
  private sent: Transaction = { statements: [], isFailed: true };

  constructor(
    postgres: SimulatedPostgres,
    config: pg.ClientConfig,
    process: { readonly isDead: boolean },
  ) {
    super();
    this.postgres = postgres;
    this.config = config;
    this.process = process;
  }

  async connect(): Promise<void> {
    await turn();
    const { availability, random } = this.postgres;
    switch (availability.away) {
      case 'hangs':
        if (await availability.isBackWithin(this.config.connectionTimeoutMillis ?? 0)) return;
        throw new Error('timeout expired');
      // A pooler in front of Postgres may still accept connections.
      case 'answers errors':
        if (random() < 0.5) return;
        throw pickError(POSTGRES_CONNECT_ERRORS, random());
      case 'refuses':
        throw pickError(POSTGRES_CONNECT_ERRORS, random());
      case undefined:
        return;
    }
  }

  async query(statement: Statement): Promise<{ command: string }> {
    const { process } = this;
    if (process.isDead) await never();
    if (statement.text.startsWith('BEGIN')) this.sent = { statements: [], isFailed: false };
    else if (statement.text !== 'COMMIT') this.sent.statements.push(statement);
    try {
      return await this.answer(statement, this.sent);
    } finally {
      if (process.isDead) await never();
    }
  }

  async end(): Promise<void> {
    this.postgres.forget(this);
  }

  /** Closes the connection from the server's side. */
  cut(): void {
    this.isCut = true;
    this.emit('error', pickError(POSTGRES_STATEMENT_ERRORS, this.postgres.random()));
    this.emit('end');
  }

  private async answer(statement: Statement, sent: Transaction): Promise<{ command: string }> {
    await turn();
    const { postgres } = this;
    const { availability, random } = postgres;
    const isCommit = statement.text === 'COMMIT';
    if (this.isCut) throw new Error('Client has encountered a connection error');
    if (availability.away === 'hangs') return this.answerLate(statement, sent);
    if (availability.away !== undefined) return this.fail(sent);
    if (sent.isFailed) return { command: 'ROLLBACK' };
    const isFaulty = random() < postgres.faultRate;
    if (isFaulty && random() < 0.5) return this.fail(sent);
    if (isCommit) postgres.commit(sent);
    if (isFaulty) return this.fail(sent);
    return { command: isCommit ? 'COMMIT' : 'other' };
  }

  private fail(sent: Transaction): never {
    sent.isFailed = true;
    throw pickError(POSTGRES_STATEMENT_ERRORS, this.postgres.random());
  }

  /** The statement is still in a socket, and may be executed after the client has given up. */
  private async answerLate(statement: Statement, sent: Transaction): Promise<{ command: string }> {
    const { availability, random } = this.postgres;
    const isCommit = statement.text === 'COMMIT';
    if (await availability.isBackWithin(statement.query_timeout)) {
      if (isCommit) this.postgres.commit(sent);
      return { command: isCommit ? 'COMMIT' : 'other' };
    }
    if (isCommit && random() < 0.5) availability.whenBack(() => this.postgres.commit(sent));
    throw new Error('Query read timeout');
  }
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
