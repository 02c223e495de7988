import type { EntityManager } from '@mikro-orm/postgresql';

export type OpenTransaction = {
  readonly em: EntityManager;
  /** Gives the connection back; nothing is written. */
  close(): Promise<void>;
};

export type Database = {
  /** One transaction as the application role: row-level security shows this organisation only. */
  asTenant<T>(organizationId: string, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** One transaction as the system role, which sees every organisation. */
  asSystem<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** A read-only snapshot as the application role, for the queries of one request. */
  openRead(organizationId: string): Promise<OpenTransaction>;
  /** Undefined when both roles answer and are what they should be, else the reason. */
  fault(): Promise<string | undefined>;
  close(): Promise<void>;
};
