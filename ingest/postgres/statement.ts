// A statement of ingest, and the interface that runs it. Statements have no name: a pooler may run
// each transaction on another connection, which lacks the statements that were prepared on the last
// one.

export type Statement = {
  readonly text: string;
  /**
   * Strings, numbers, dates, null, and arrays of these, so that a message between threads can contain
   * them.
   */
  readonly values?: unknown[];
  /** The default is that of the link. */
  readonly timeoutMs?: number;
};

export type Rows<Row> = { readonly rows: Row[]; readonly rowCount: number | null };

/** The part of the driver's client that ingest uses. */
export type PostgresClient = {
  query<Row extends Record<string, unknown>>(statement: Statement): Promise<Rows<Row>>;
};
