/** The names of a cell's topics and consumer groups; see docs/log-format.md. */
export type CellNames = {
  /** Rows for ClickHouse. */
  readonly rows: string;
  /** Rows for Postgres. */
  readonly outbox: string;
  /**
   * Has no records. The inserters commit the end of a block here before its first attempt, in the
   * same request in which they commit its beginning for `rows`.
   */
  readonly openBlocks: string;
  readonly inserters: string;
  readonly outboxWriters: string;
};

export function cellNames(prefix: string, cell: string): CellNames {
  const rows = `${prefix}.${cell}`;
  return {
    rows,
    outbox: `${rows}.outbox`,
    openBlocks: `${rows}.open-blocks`,
    inserters: `${rows}.inserters`,
    outboxWriters: `${rows}.outbox-writers`,
  };
}
