// The messages between threads about statements. The worker threads have no connections of their own:
// the main thread runs their statements, so a node has few connections with any number of threads.

import type { Statement, TextRows } from './statement.ts';

export const SHARED_LINKS = ['questions', 'changes', 'outbox'] as const;
export type SharedLink = (typeof SHARED_LINKS)[number];

/** Whether each link is connected. */
export type LinkStates = Readonly<Record<SharedLink, boolean>>;

export type AskedStatement = Statement & {
  /** Unique in its thread. */
  readonly ask: number;
  readonly link: SharedLink;
};

export type StatementOutcome =
  /** Committed. */
  | { readonly rows: TextRows }
  | { readonly error: DatabaseFault }
  /** Postgres did not respond; the outcome is not known. */
  | { readonly unavailable: string };

/** The properties of a pg.DatabaseError that ingest uses. */
export type DatabaseFault = {
  readonly message: string;
  readonly code: string | undefined;
  readonly detail: string | undefined;
};
